package io.forewarn.server.cluster;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommitFeed;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.server.clock.ClockText;
import io.forewarn.server.clock.RepairableClock;
import io.forewarn.server.clock.WallClockCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The time of the whole cluster. The writer announces it once a second; followers continue from there by their own monotonic
 * clock. A new writer continues from the old writer's time, and then approaches the wall clock by a tenth of the time that
 * passes.
 *
 * <p>It jumps to a wall clock that is far off only if more than half of the live nodes agree on it, and none of those was
 * set recently; or, if there is only one node, when its wall clock has run in step for an hour; or when a person says so.
 * When all nodes were down, the first one continues from the stored time, unless its own wall clock is so little later that
 * it makes no difference. So one wrong clock never becomes everybody's, whichever node starts first. Any thread.
 */
public final class ClusterClock implements Clock, RepairableClock {
    /** A clock that is off by no more than this is close enough. */
    private static final Duration MUCH = Duration.ofSeconds(1);

    /** Clocks that are no further apart agree. */
    private static final Duration ALIKE = Duration.ofSeconds(2);

    /** No heartbeat is delayed by more than this. */
    private static final Duration LATE = Duration.ofSeconds(5);

    /** How long nodes that come up together may need to hear of each other's clocks. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private final LongSupplier elapsedNanos;
    private final Supplier<Instant> wall;
    private final WallClockCheck check = new WallClockCheck();
    private Instant last;
    private long lastNanos;
    private Instant said;
    private long saidNanos;
    private boolean leads;
    private boolean known;
    private Instant stored;
    private Long resumed;
    private Duration doubt = Duration.ZERO;
    private ClockVotes votes = ClockVotes.NONE;
    /** For how long this node answered nothing, as far as no writer counted it. */
    private Duration stalled = Duration.ZERO;

    private Instant stalledUntil;

    /** @param wall the machine's own clock */
    public ClusterClock(LongSupplier elapsedNanos, Supplier<Instant> wall) {
        this.elapsedNanos = elapsedNanos;
        this.wall = wall;
    }

    /** By how much cluster time was in doubt when that was last written. */
    public synchronized void doubts(Duration stored) {
        doubt = stored;
    }

    /** What the last writer said, some time ago. If no other is heard, time goes on from there. */
    public synchronized void resumes(Instant time) {
        if (known) {
            return;
        }
        now();
        stored = time;
        resumed = lastNanos;
        boolean plausible = !last.isBefore(time) && last.isBefore(time.plus(WallClockCheck.NEAR));
        // Nobody was told yet what this node took for the time: that it may take back.
        last = plausible ? last : time;
    }

    /** What the writer said, and when it was heard. */
    synchronized void heard(CommitFeed.Beat beat, long nanos) {
        said = beat.time();
        saidNanos = nanos;
        stored = null;
        if (!stalled.isZero()) {
            // Up to then the writer answered, or counted that it did not.
            Duration silent = Duration.between(said, stalledUntil);
            stalled = silent.isNegative() ? Duration.ZERO : silent.compareTo(stalled) < 0 ? silent : stalled;
        }
        if (!known) {
            // So far it went by its own wall, which may be anything, and nobody was told: that it may take back.
            known = true;
            last = said;
            lastNanos = nanos;
        }
    }

    /** Whether this node announces the time. */
    synchronized void leads(boolean yes) {
        now();
        known = true;
        leads = yes;
        said = null;
        stored = yes ? stored : null;
    }

    /** This node answered nothing for a while. */
    synchronized void stalled(Duration missed) {
        stalledUntil = now().wall();
        stalled = stalled.plus(missed);
    }

    /** What this node did not answer was written down. */
    synchronized void stallCounted() {
        stalled = Duration.ZERO;
    }

    /** What the clocks of all nodes say. */
    synchronized void voted(ClockVotes all) {
        votes = all;
    }

    /** What this node's clock says, for the others; empty while it does not know the cluster's time. */
    synchronized Optional<ClockVote> vote() {
        Instant now = now().wall();
        return leads || said != null
                ? Optional.of(new ClockVote(wall.get(), now, check.jumpedLately()))
                : Optional.empty();
    }

    @Override
    public synchronized ClockReading now() {
        long nanos = elapsedNanos.getAsLong();
        Instant own = wall.get();
        check.observe(own, nanos);
        last = last == null ? own : advanced(own, nanos);
        if (check.isTrusted()) {
            doubt = Duration.ZERO;
        }
        lastNanos = nanos;
        return new ClockReading(last, nanos);
    }

    private Instant advanced(Instant own, long nanos) {
        long passed = nanos - lastNanos;
        Instant ahead = last.plusNanos(passed);
        if (!leads && said != null) {
            Instant target = said.plusNanos(nanos - saidNanos);
            // A little back is the delay of the heartbeat; far back is a jump of the writer's clock.
            return target.isBefore(last) && target.isAfter(last.minus(LATE)) ? last : leapt(ahead, target);
        }
        Optional<Instant> agreed = votes.agreed(ahead).map(ahead::plus);
        Instant target = agreed.filter(time -> Duration.between(time, own).abs().compareTo(ALIKE) > 0)
                .orElse(own);
        if (WallClockCheck.isNear(ahead, target)) {
            return WallClockCheck.slewed(ahead, target, passed);
        }
        boolean alone = votes.nodes().size() <= 1;
        return leads && (agreed.isPresent() || alone && check.isTrusted()) ? leapt(ahead, target) : ahead;
    }

    /** Nodes that were all started a moment ago may have the same wrong time: a leap is in doubt until this one's clock has proved right. */
    private Instant leapt(Instant ahead, Instant target) {
        if (target.isAfter(ahead) && !WallClockCheck.isNear(ahead, target)) {
            doubt = doubt.plus(Duration.between(ahead, target));
        }
        return target;
    }

    @Override
    public synchronized Duration doubt() {
        return doubt;
    }

    /** How far this machine's own clock is off. */
    synchronized Duration off() {
        return Duration.between(now().wall(), wall.get()).abs();
    }

    /** Whether this machine's clock is so far off that others should write. */
    synchronized boolean isOff() {
        return off().compareTo(MUCH) > 0;
    }

    /** Nodes come up after all were down, and may not have heard of each other's clocks yet: what is off is not known. */
    synchronized boolean isSettling() {
        return resumed != null && elapsedNanos.getAsLong() - resumed < SETTLING.toNanos();
    }

    /** By how much each node's clock is ahead of the cluster's time, where that is known. */
    public synchronized Map<String, Duration> offs() {
        return votes.off(now().wall());
    }

    /** A clock that is off is reported for its node instead. */
    @Override
    public synchronized Optional<String> trouble() {
        now();
        return doubt.compareTo(WallClockCheck.NEAR) > 0
                ? Optional.of("the cluster's time leapt forward by " + ClockText.rough(doubt)
                        + ", to what most nodes' clocks say, soon after they started; tokens and history do not age by that until"
                        + " this machine's clock has run in step for another "
                        + ClockText.rough(check.untilTrusted()))
                : ClockText.jumped(check);
    }

    @Override
    public synchronized Duration off(String node) {
        Instant now = now().wall();
        Map<String, Duration> offs = offs();
        Duration off;
        if (node != null) {
            off = offs.get(node);
        } else if (votes.nodes().size() <= 1) {
            off = Duration.between(now, wall.get());
        } else {
            off = votes.agreed(now).orElse(null);
        }
        if (off == null) {
            String all = offs.entrySet().stream()
                    .map(each -> each.getKey() + " " + ClockText.signed(each.getValue()))
                    .collect(Collectors.joining(", "));
            throw new RefusedException(
                    Problem.CONFLICT,
                    (node == null
                                    ? "no more than half of the nodes' clocks agree: say whose is right with --node HOST:PORT"
                                    : "the clock of node " + node + " is not known")
                            + "; against the cluster's time they stand at " + (all.isEmpty() ? "nothing known" : all));
        }
        return off;
    }

    @Override
    public synchronized void repair(Duration by) {
        last = now().wall().plus(by);
        doubt = Duration.ZERO;
    }

    @Override
    public synchronized Optional<Instant> unreadableSince(StoredTime known) {
        Optional<Instant> readable = known.readable();
        if (stored != null) {
            return readable.isPresent() ? readable : Optional.of(stored);
        }
        // Others answered all the time, unless all were stopped together and this node is the first to write again. And
        // the
        // last writer may have leapt, which is never by less, and not have written that down.
        Instant now = now().wall();
        return readable.filter(then -> !WallClockCheck.isNear(then, now))
                .or(() ->
                        Optional.of(stalled).filter(missed -> !missed.isZero()).map(now::minus));
    }
}
