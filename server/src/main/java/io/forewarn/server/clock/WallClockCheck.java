package io.forewarn.server.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks a machine's wall clock against its monotonic one. A wall clock that is set jumps against elapsed time; one
 * that runs steadily for an hour is trusted, whatever its time. Not thread-safe.
 */
public final class WallClockCheck {
    /** How long a wall clock must run steadily before it is trusted. */
    public static final Duration TRUSTED_AFTER = Duration.ofHours(1);

    /** Smaller differences are no jump: service time adjusts by a tenth of the elapsed time. */
    public static final Duration NEAR = Duration.ofMinutes(10);

    /** Service time runs faster or slower by this fraction, until it matches the wall clock. */
    private static final int SLEW = 10;

    private static final Duration STEP = Duration.ofSeconds(2);
    private static final Duration REMEMBERED = Duration.ofDays(1);

    /**
     * @param at the wall-clock time before
     * @param by how far it was set; negative if back
     * @param nanos when, in monotonic time
     */
    public record Jump(Instant at, Duration by, long nanos) {}

    private Instant wall;
    private long nanos;
    private Instant wallBegan;
    private long began;
    private Jump last;

    /** Records both clocks. Returns the jump, if the wall clock was set since the last call. */
    public Optional<Jump> observe(Instant wallNow, long nanosNow) {
        Optional<Jump> jump = Optional.empty();
        if (wall == null) {
            begin(wallNow, nanosNow);
        } else if (!isInStep(wall, nanos, wallNow, nanosNow) || !isInStep(wallBegan, began, wallNow, nanosNow)) {
            last = new Jump(wall, off(wall, nanos, wallNow, nanosNow), nanosNow);
            begin(wallNow, nanosNow);
            jump = Optional.of(last);
        }
        wall = wallNow;
        nanos = nanosNow;
        return jump;
    }

    private void begin(Instant wallNow, long nanosNow) {
        wallBegan = wallNow;
        began = nanosNow;
    }

    private static boolean isInStep(Instant from, long fromNanos, Instant to, long toNanos) {
        Duration allowed = STEP.plusNanos((toNanos - fromNanos) / SLEW);
        return off(from, fromNanos, to, toNanos).abs().compareTo(allowed) <= 0;
    }

    private static Duration off(Instant from, long fromNanos, Instant to, long toNanos) {
        return Duration.between(from, to).minusNanos(toNanos - fromNanos);
    }

    /** Whether the wall clock has run steadily for long enough to be trusted. */
    public boolean isTrusted() {
        return wall != null && nanos - began >= TRUSTED_AFTER.toNanos();
    }

    /** Whether it jumped and has not run steadily for long enough since. */
    public boolean jumpedLately() {
        return last != null && !isTrusted();
    }

    /** How much longer it must run steadily before it is trusted. */
    public Duration untilTrusted() {
        Duration rest = TRUSTED_AFTER.minusNanos(nanos - began);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** The last jump, for a day. */
    public Optional<Jump> lastJump() {
        return Optional.ofNullable(last).filter(jump -> nanos - jump.nanos() < REMEMBERED.toNanos());
    }

    /** Service time after some elapsed time, if it approaches a target without a jump. */
    public static Instant slewed(Instant ahead, Instant target, long passed) {
        long most = passed / SLEW;
        Duration off = Duration.between(ahead, target);
        long nudge = off.compareTo(Duration.ofNanos(most)) > 0
                ? most
                : off.compareTo(Duration.ofNanos(-most)) < 0 ? -most : off.toNanos();
        return ahead.plusNanos(nudge);
    }

    /** Whether two times are close enough that no jump is needed. */
    public static boolean isNear(Instant one, Instant other) {
        return Duration.between(one, other).abs().compareTo(NEAR) <= 0;
    }
}
