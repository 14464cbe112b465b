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
 * set recently; or, if there is only one node, when its wall clock has run in step for an hour; or when a person repairs it.
 * When all nodes were down, the first one continues from the stored time, unless its own wall clock is so little later that
 * it makes no difference. So one wrong clock never determines the cluster's time, whichever node starts first. Any thread.
 */
public final class ClusterClock implements Clock, RepairableClock {
    /** A clock that is off by no more than this is close enough. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** Clocks that are no further apart agree. */
    private static final Duration AGREEMENT = Duration.ofSeconds(2);

    /** No heartbeat is delayed by more than this. */
    private static final Duration MAX_DELAY = Duration.ofSeconds(5);

    /** How long nodes that come up together may need to hear of each other's clocks. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private final LongSupplier elapsedNanos;
    private final Supplier<Instant> wall;
    private final WallClockCheck check = new WallClockCheck();
    private Instant last;
    private long lastNanos;
    private Instant announced;
    private long announcedNanos;
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

    /** Sets by how much the cluster's time was in doubt when it was last stored. */
    public synchronized void doubts(Duration stored) {
        doubt = stored;
    }

    /** Sets the stored time of the last writer, from which time continues unless another writer announces it. */
    public synchronized void resumes(Instant time) {
        if (known) {
            return;
        }
        now();
        stored = time;
        resumed = lastNanos;
        boolean plausible = !last.isBefore(time) && last.isBefore(time.plus(WallClockCheck.NEAR));
        // No caller has seen this node's time yet, so it may go back.
        last = plausible ? last : time;
    }

    /** The writer announced the time. */
    synchronized void heard(CommitFeed.Beat beat, long nanos) {
        announced = beat.time();
        announcedNanos = nanos;
        stored = null;
        if (!stalled.isZero()) {
            // Up to then the writer answered, or counted the time in which it did not.
            Duration silent = Duration.between(announced, stalledUntil);
            stalled = silent.isNegative() ? Duration.ZERO : silent.compareTo(stalled) < 0 ? silent : stalled;
        }
        if (!known) {
            // So far it used its own wall clock, which may be wrong, and no caller has seen that time, so it may go
            // back.
            known = true;
            last = announced;
            lastNanos = nanos;
        }
    }

    /** Whether this node announces the time. */
    synchronized void leads(boolean yes) {
        now();
        known = true;
        leads = yes;
        announced = null;
        stored = yes ? stored : null;
    }

    /** This node answered nothing for a while. */
    synchronized void stalled(Duration missed) {
        stalledUntil = now().wall();
        stalled = stalled.plus(missed);
    }

    /** The time in which this node answered nothing was recorded. */
    synchronized void stallCounted() {
        stalled = Duration.ZERO;
    }

    /** The clocks of all nodes. */
    synchronized void voted(ClockVotes all) {
        votes = all;
    }

    /** This node's clock, for the other nodes; empty while it does not know the cluster's time. */
    synchronized Optional<ClockVote> vote() {
        Instant now = now().wall();
        return leads || announced != null
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
        if (!leads && announced != null) {
            Instant target = announced.plusNanos(nanos - announcedNanos);
            // A little back is the delay of the heartbeat; far back is a jump of the writer's clock.
            return target.isBefore(last) && target.isAfter(last.minus(MAX_DELAY)) ? last : jumped(ahead, target);
        }
        Optional<Instant> agreed = votes.agreed(ahead).map(ahead::plus);
        Instant target = agreed.filter(time -> Duration.between(time, own).abs().compareTo(AGREEMENT) > 0)
                .orElse(own);
        if (WallClockCheck.isNear(ahead, target)) {
            return WallClockCheck.slewed(ahead, target, passed);
        }
        boolean alone = votes.nodes().size() <= 1;
        return leads && (agreed.isPresent() || alone && check.isTrusted()) ? jumped(ahead, target) : ahead;
    }

    /** Nodes that were all started a moment ago may have the same wrong time: a leap is in doubt until this one's clock has proved right. */
    private Instant jumped(Instant ahead, Instant target) {
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

    /** Whether this machine's clock is so far off that other nodes should be the writer. */
    synchronized boolean isOff() {
        return off().compareTo(TOLERANCE) > 0;
    }

    /** Whether nodes have just started after all were down and may not know each other's clocks yet, so that it is unknown which is off. */
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
                ? Optional.of("the cluster's time jumped forward by " + ClockText.rough(doubt)
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
                                    ? "no more than half of the nodes' clocks agree; name the node whose clock is right with --node HOST:PORT"
                                    : "the clock of node " + node + " is not known")
                            + "; their offsets from the cluster's time: " + (all.isEmpty() ? "nothing known" : all));
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
        // Other nodes answered all the time, unless all were stopped together and this node is the first writer
        // afterwards. And
        // the last writer's time may have jumped, always by more than this, without being stored.
        Instant now = now().wall();
        return readable.filter(then -> !WallClockCheck.isNear(then, now))
                .or(() ->
                        Optional.of(stalled).filter(missed -> !missed.isZero()).map(now::minus));
    }
}
