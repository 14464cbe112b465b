package io.forewarn.server.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Judges a machine's wall clock by its monotonic one. A wall that is set jumps against the time that passes; one that runs in step for
 * an hour is believed, wherever it stands. For one thread at a time.
 */
public final class WallClockCheck {
    /** How long a wall must run in step before it is believed. */
    public static final Duration TRUSTED_AFTER = Duration.ofHours(1);

    /** What is nearer than this is no jump: service time draws nearer by a tenth of the time that passes. */
    public static final Duration NEAR = Duration.ofMinutes(10);

    /** Service time goes faster or slower by this part of the time that passes, until it is where the wall is. */
    private static final int SLEW = 10;

    private static final Duration STEP = Duration.ofSeconds(2);
    private static final Duration REMEMBERED = Duration.ofDays(1);

    /**
     * @param at what the wall said before
     * @param by how far it was set; negative if back
     * @param nanos when, on the monotonic clock
     */
    public record Jump(Instant at, Duration by, long nanos) {}

    private Instant wall;
    private long nanos;
    private Instant wallBegan;
    private long began;
    private Jump last;

    /** Notes what both clocks say. Returns the jump, if the wall was set since the last look. */
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

    /** Whether the wall has run in step for so long that it is believed. */
    public boolean isTrusted() {
        return wall != null && nanos - began >= TRUSTED_AFTER.toNanos();
    }

    /** Whether it jumped and has not run in step for long enough since. */
    public boolean jumpedLately() {
        return last != null && !isTrusted();
    }

    /** How much longer it must run in step before it is believed. */
    public Duration untilTrusted() {
        Duration rest = TRUSTED_AFTER.minusNanos(nanos - began);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** The last jump, for a day. */
    public Optional<Jump> lastJump() {
        return Optional.ofNullable(last).filter(jump -> nanos - jump.nanos() < REMEMBERED.toNanos());
    }

    /** Where service time is after some time passed, if it draws nearer to a target without a jump. */
    public static Instant slewed(Instant ahead, Instant target, long passed) {
        long most = passed / SLEW;
        Duration off = Duration.between(ahead, target);
        long nudge = off.compareTo(Duration.ofNanos(most)) > 0
                ? most
                : off.compareTo(Duration.ofNanos(-most)) < 0 ? -most : off.toNanos();
        return ahead.plusNanos(nudge);
    }

    /** Whether two times are so near that no jump is needed from one to the other. */
    public static boolean isNear(Instant one, Instant other) {
        return Duration.between(one, other).abs().compareTo(NEAR) <= 0;
    }
}
