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
 * <p>After a restart it goes on from what the store knows. If the machine was not restarted, its uptime tells how much time passed, and the
 * wall is not asked. If it was, nobody can tell, and service time leaps to the wall if that says that no more than a month has passed.
 * Such a leap stays in doubt until the wall has run in step for an hour.
 */
public final class SteadyTime implements Clock, RepairableClock {
    /** So long a service may have been switched off before its wall is doubted. */
    private static final Duration PLAUSIBLE = Duration.ofDays(30);

    private static final Duration EXACT = Duration.ofSeconds(2);

    /** A wall that differs by more from what the uptime says was set while no process ran. */
    private static final Duration SET = Duration.ofSeconds(10);

    private final LongSupplier elapsedNanos;
    private final Supplier<Instant> wall;
    private final Supplier<Uptime> uptime;
    private final WallClockCheck check = new WallClockCheck();
    private final Instant unreadableSince;
    private final Duration leap;
    private Duration doubt;
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
        this.unreadableSince = stored.readable().orElse(null);
        lastNanos = elapsedNanos.getAsLong();
        lastWall = wall.get();
        sleptUpTo = uptime.get();
        sleptNanos = lastNanos;
        Instant latest = stored.latest().orElse(lastWall);
        Duration away = stored.mark() == null
                ? Duration.ofNanos(-1)
                : sleptUpTo.since(stored.mark().uptime());
        if (!away.isNegative()) {
            Instant expected = stored.mark().at().plus(away);
            last = expected.isBefore(latest) ? latest : expected;
            leap = Duration.ZERO;
            if (Duration.between(last, lastWall).abs().compareTo(SET) > 0) {
                check.observe(last, lastNanos);
            }
        } else {
            boolean plausible = !lastWall.isBefore(latest) && lastWall.isBefore(latest.plus(PLAUSIBLE));
            last = plausible ? lastWall : latest;
            leap = Duration.between(latest, last);
        }
        doubt = doubt(stored, away, last);
        check.observe(lastWall, lastNanos);
    }

    /** Certain is what was certain when the last mark was written, and the time that passed since then if the machine knows it. */
    private static Duration doubt(StoredTime stored, Duration away, Instant now) {
        if (stored.mark() == null) {
            return stored.latest().map(then -> Duration.between(then, now)).orElse(Duration.ZERO);
        }
        Instant certain =
                stored.mark().at().minus(stored.mark().doubt()).plus(away.isNegative() ? Duration.ZERO : away);
        Duration doubt = Duration.between(certain, now);
        return doubt.isNegative() ? Duration.ZERO : doubt;
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
        if (check.isTrusted()) {
            doubt = Duration.ZERO;
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
        doubt = Duration.ZERO;
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
        if (doubt.compareTo(WallClockCheck.NEAR) > 0) {
            return Optional.of("service time leapt forward by " + ClockText.rough(doubt)
                    + ", to this machine's clock, when the service started after the machine was restarted; tokens and"
                    + " history do not age by that until the clock has run in step for another "
                    + ClockText.rough(check.untilTrusted()));
        }
        return ClockText.jumped(check);
    }

    @Override
    public Optional<Duration> leapAtStart() {
        return Optional.of(leap).filter(by -> !by.isZero());
    }

    @Override
    public synchronized Duration doubt() {
        return doubt;
    }

    @Override
    public Uptime uptime() {
        return uptime.get();
    }

    @Override
    public Optional<Instant> unreadableSince(StoredTime stored) {
        return Optional.ofNullable(unreadableSince);
    }
}
