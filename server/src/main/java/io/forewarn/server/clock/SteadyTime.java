package io.forewarn.server.clock;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.Uptime;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.StoredTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Service time of a service on its own. It goes on by the monotonic clock and draws nearer to the wall by a tenth of the time that
 * passes. A wall that is far off is not followed until it has run in step for an hour, or a person says that it is right; the
 * time that the machine slept, which it knows itself, is. Any thread.
 *
 * <p>After a restart it goes on from what the store knows: by the machine's uptime if the machine was not restarted, else by the wall, if
 * that says that no more than a month has passed.
 */
public final class SteadyTime implements Clock, RepairableClock {
    /** So long a service may have been switched off before its wall is doubted. */
    private static final Duration PLAUSIBLE = Duration.ofDays(30);

    private static final Duration EXACT = Duration.ofSeconds(2);

    private final LongSupplier elapsedNanos;
    private final Supplier<Instant> wall;
    private final Supplier<Uptime> uptime;
    private final WallClockCheck check = new WallClockCheck();
    private final Instant unreadableSince;
    private Uptime sleptUpTo;
    private long sleptNanos;
    private Instant last;
    private long lastNanos;
    private Instant lastWall;

    /**
     * @param wall the machine's own clock
     * @param stored what the store knows of the time
     */
    public SteadyTime(LongSupplier elapsedNanos, Supplier<Instant> wall, Supplier<Uptime> uptime, StoredTime stored) {
        this.elapsedNanos = elapsedNanos;
        this.wall = wall;
        this.uptime = uptime;
        this.unreadableSince = stored.alive().orElse(null);
        lastNanos = elapsedNanos.getAsLong();
        lastWall = wall.get();
        sleptUpTo = uptime.get();
        sleptNanos = lastNanos;
        last = resumed(stored, lastWall, sleptUpTo);
        check.observe(lastWall, lastNanos);
    }

    private static Instant resumed(StoredTime stored, Instant wall, Uptime up) {
        Instant alive = stored.alive().orElse(null);
        if (alive == null) {
            return wall;
        }
        Duration away = stored.mark() == null
                ? Duration.ofNanos(-1)
                : up.since(stored.mark().uptime());
        if (away.isNegative()) {
            boolean plausible = !wall.isBefore(alive) && wall.isBefore(alive.plus(PLAUSIBLE));
            return plausible ? wall : alive;
        }
        Instant expected = stored.mark().at().plus(away);
        return WallClockCheck.isNear(expected, wall) && !wall.isBefore(alive)
                ? wall
                : expected.isBefore(alive) ? alive : expected;
    }

    @Override
    public synchronized ClockReading now() {
        long nanos = elapsedNanos.getAsLong();
        long passed = nanos - lastNanos;
        Instant own = wall.get();
        Instant ahead = last.plusNanos(passed);
        if (check.observe(own, nanos).isPresent()) {
            ahead = ahead.plus(slept(nanos));
        }
        if (WallClockCheck.isNear(ahead, own)) {
            last = WallClockCheck.slewed(ahead, own, passed);
        } else {
            last = check.isTrusted() ? own : ahead;
        }
        lastNanos = nanos;
        lastWall = own;
        return new ClockReading(last, nanos);
    }

    /** How long the machine slept since it was last looked at: the monotonic clock stood still meanwhile, its uptime did not. */
    private Duration slept(long nanos) {
        Uptime up = uptime.get();
        Duration slept = up.since(sleptUpTo).minusNanos(nanos - sleptNanos);
        sleptUpTo = up;
        sleptNanos = nanos;
        return slept.compareTo(EXACT) > 0 ? slept : Duration.ZERO;
    }

    @Override
    public synchronized Duration off(String node) {
        if (node != null) {
            throw new RefusedException(Problem.BAD_INPUT, "this service has no other nodes; leave --node out");
        }
        return Duration.between(now().wall(), lastWall);
    }

    @Override
    public synchronized void repair(Duration by) {
        last = now().wall().plus(by);
    }

    @Override
    public synchronized Optional<String> trouble() {
        Instant now = now().wall();
        if (!WallClockCheck.isNear(now, lastWall)) {
            return Optional.of("this machine's clock says " + lastWall.truncatedTo(ChronoUnit.SECONDS) + ", which is "
                    + ClockText.off(Duration.between(now, lastWall))
                    + " service time; service time goes on without it until it has run in step for another "
                    + ClockText.rough(check.untilTrusted()));
        }
        return ClockText.jumped(check);
    }

    @Override
    public Uptime uptime() {
        return uptime.get();
    }

    @Override
    public Optional<Instant> unreadableSince() {
        return Optional.ofNullable(unreadableSince);
    }
}
