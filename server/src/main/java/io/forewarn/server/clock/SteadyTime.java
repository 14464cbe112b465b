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
 * Provides the service time of a single node. It follows the monotonic clock and approaches the wall clock by a tenth
 * of the elapsed time. A wall clock that is far off is not followed until it has run steadily for an hour, or a person
 * confirms it; the time the machine was suspended, which it knows itself, counts. Thread-safe.
 *
 * <p>After a restart it continues from the stored time. If the machine was not restarted, its uptime tells how much
 * time passed, and the wall clock is not used. If it was, service time jumps to the wall clock, unless more than a
 * month would have passed. Such a jump stays in doubt until the wall clock has run steadily for an hour.
 */
public final class SteadyTime implements Clock, RepairableClock {
    /** The longest downtime before the wall clock is doubted. */
    private static final Duration PLAUSIBLE = Duration.ofDays(30);

    private static final Duration EXACT = Duration.ofSeconds(2);

    /** A wall clock that differs by more from the uptime was set while no process ran. */
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
     * @param stored the stored times
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

    /** Time is certain up to the last mark, plus the time since then if the machine knows it. */
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

    /**
     * How long the machine was suspended since the last call: its monotonic clock stood still meanwhile, its uptime did
     * not.
     */
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
            return Optional.of("service time jumped forward by " + ClockText.rough(doubt)
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
