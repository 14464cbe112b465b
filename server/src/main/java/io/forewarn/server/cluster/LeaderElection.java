package io.forewarn.server.cluster;

import io.forewarn.core.LostCommits;
import io.forewarn.core.engine.CommitFeed.Beat;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.settings.ClusterSettings;
import io.forewarn.store.etcd.ClusterMembership;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Keeps this node's lease, announces the time while this node is the writer, and campaigns when there is none. It has its
 * own thread: a commit that hangs must not cost the lease, and nothing here waits for a commit.
 */
public final class LeaderElection implements AutoCloseable {
    /** Listener for changes, called on the thread that keeps the lease. */
    public interface Witness {
        /** This node was elected, or is no longer the writer. */
        void changed();

        /** Who is there, by name, with what each says of itself: before this node stands, and at every look. */
        void seen(Map<String, String> nodes);

        /** The lease is no longer kept, and this node cannot continue. */
        void died(Throwable fault);
    }

    private static final Duration PACE = Duration.ofMillis(500);
    private static final Duration BETWEEN_BEATS = Duration.ofSeconds(1);
    private static final Duration BETWEEN_TIDYINGS = Duration.ofMinutes(5);
    private static final Duration BETWEEN_CLOCKS = Duration.ofSeconds(2);
    private static final Duration MUCH = Duration.ofSeconds(1);

    private final ClusterMembership membership;
    private final Duration lease;
    private final ClusterClock time;
    private final LongSupplier elapsedNanos;
    private final Log log;
    private final Witness witness;
    private final MembershipLog membershipLog;
    private final Thread thread = new Thread(this::run, "forewarn-lease");

    private volatile String name;
    private volatile String about;
    private long nextBeat;
    private Long nextClock;
    private long nextTidying;
    private long old;
    private long vacantSince;
    private boolean vacant;
    private Duration told = Duration.ZERO;
    private volatile String complaint;
    private volatile String damage;
    private volatile LostCommits toReport;
    private volatile LostCommits reported;
    private volatile LostCommits noted;
    private volatile LongSupplier committed = () -> 0;
    private long spoke;
    private volatile boolean closing;
    private volatile boolean resigning;
    private volatile boolean mayStand;
    private volatile long standsFrom;
    private volatile boolean elected;
    private volatile boolean inOffice;
    private volatile long epoch;
    private volatile long good;
    /** When the last beat that etcd took was sent; null if none was. */
    private volatile Long beaten;

    private volatile String writer;
    private volatile Map<String, String> nodes = Map.of();

    public LeaderElection(
            ClusterMembership membership,
            Duration lease,
            ClusterClock time,
            LongSupplier elapsedNanos,
            Log log,
            Witness witness) {
        this.membership = membership;
        this.lease = lease;
        this.time = time;
        this.elapsedNanos = elapsedNanos;
        this.log = log;
        this.witness = witness;
        this.membershipLog = new MembershipLog(log);
    }

    boolean join(String node, String aboutIt) throws StoreException {
        return join(node, aboutIt, others -> {});
    }

    /**
     * Begins to be there for others. False if there is another node of that name.
     *
     * @param look is shown who is there, before this node is and once more when it is: of two that come at once, one sees the
     *     other. What it throws keeps this node from standing
     */
    public boolean join(String node, String aboutIt, Consumer<Map<String, String>> look) throws StoreException {
        look.accept(membership.nodes());
        name = node;
        about = aboutIt;
        if (!membership.join(node, aboutIt)) {
            return false;
        }
        look.accept(membership.nodes());
        good = elapsedNanos.getAsLong() + lease.toNanos();
        standsFrom = elapsedNanos.getAsLong();
        membership.lastBeat().ifPresent(beat -> time.resumes(beat.time()));
        thread.start();
        return true;
    }

    /** This node knows enough to write. */
    void mayCampaign() {
        mayStand = true;
    }

    /** This node does not understand what others wrote. */
    void mayNotCampaign() {
        mayStand = false;
    }

    /** Whether this node is elected and its lease is valid. */
    boolean elected() {
        return elected && holds();
    }

    /** Whether the lease holds, as far as can be known without asking: by the time the last request for it was sent. */
    private boolean holds() {
        return elapsedNanos.getAsLong() - good < 0;
    }

    /** This node begins to write: what it had begun in an earlier term is let go of. */
    synchronized void becomeLeader() {
        inOffice = elected;
    }

    /**
     * Whether work may be begun: as long as the lease holds with which this node began to write. Not with another one, before
     * what was to be done under the first is let go of: whoever wrote in between has asked what became of it.
     */
    public boolean mayBeginWork() {
        return inOffice && holds();
    }

    /** When the last beat that etcd took was sent, on the clock of elapsed time: up to then this node certainly wrote; null if it never did. */
    Long beaten() {
        return beaten;
    }

    /** Ends the term when the lease ran out, also while etcd is waited for. Any thread, some times a second. */
    public void look() {
        if (elected && !holds()) {
            lost("its lease ran out");
        }
    }

    /** For how long work may still be begun; 0 or less if it may not. */
    public long workMayBeginNanos() {
        return inOffice ? good - elapsedNanos.getAsLong() : 0;
    }

    /** As which writer this node says what time it is; not if the lease ran out since it took office. */
    synchronized void speakAs(long writerEpoch) {
        epoch = inOffice ? writerEpoch : 0;
    }

    /** @param last the last commit this node has written: etcd must never stand before it */
    void hasWritten(LongSupplier last) {
        committed = last;
    }

    /** Whether it still is that writer: not if the lease ran out meanwhile, even if this node was chosen again since. */
    boolean speaksAs(long writerEpoch) {
        return epoch == writerEpoch;
    }

    /**
     * This node was elected but could not take over. It does not campaign for the length of a lease; the others check for a
     * writer twice a second.
     */
    void holdBack() {
        standsFrom = elapsedNanos.getAsLong() + lease.toNanos();
        resign();
    }

    /** This node no longer writes. Until etcd was told it does not stand again: the next term would be given back. */
    synchronized void resign() {
        stepDown();
        resigning = true;
    }

    private void stepDown() {
        elected = false;
        inOffice = false;
        epoch = 0;
    }

    /** The node that writes, by its name. */
    Optional<String> writer() {
        return Optional.ofNullable(writer);
    }

    /** All nodes by name, with what each says of itself. */
    Map<String, String> nodes() {
        return nodes;
    }

    String name() {
        return name;
    }

    /** The last problem with etcd while keeping the lease; empty if it is over. */
    Optional<String> problem() {
        return Optional.ofNullable(complaint);
    }

    /** This node knows what etcd lost when it was set back: whoever writes is to write it down. */
    public void reportLoss(LostCommits lost) {
        toReport = lost;
    }

    /** What is to be written down as lost; null if nothing is. */
    LostCommits reportedLoss() {
        return reported;
    }

    /** It is written down. */
    void noted(LostCommits lost) {
        reported = null;
        noted = lost;
    }

    /** What is wrong with the keys in etcd that all nodes share. */
    Optional<String> damage() {
        return Optional.ofNullable(damage);
    }

    boolean isDamaged() {
        return damage != null;
    }

    private void run() {
        try {
            while (!closing) {
                turn();
                LockSupport.parkNanos(this, PACE.toNanos());
            }
        } catch (RuntimeException | Error fault) {
            // Without a thread that renews the lease, the node would silently disappear after a while.
            witness.died(fault);
        }
    }

    private void turn() {
        long began = elapsedNanos.getAsLong();
        try {
            round(began);
            complaint = null;
        } catch (StoreException problem) {
            reportProblem(problem);
        }
        if (elected && !holds()) {
            lost("its lease ran out");
        }
        stepDownIfUnheard();
        if (complaint == null) {
            compareClocksOrComplain();
        }
        warnIfClockIsOff();
    }

    /** After everything that keeps the lease: it may take long, and nothing waits for it. */
    private void compareClocksOrComplain() {
        try {
            compareClocks();
        } catch (StoreException problem) {
            reportProblem(problem);
        }
    }

    /** etcd may keep the lease of a node whose writes it rejects, and no other node could be elected. */
    private void stepDownIfUnheard() {
        long now = elapsedNanos.getAsLong();
        if (epoch == 0) {
            spoke = now;
        } else if (now - spoke > lease.toNanos() * 2) {
            lost("etcd took nothing from it for two leases" + (complaint == null ? "" : ": " + complaint));
            standsFrom = now + lease.toNanos();
            membership.abandon();
        }
    }

    private void round(long began) throws StoreException {
        if (!membership.keep()) {
            lost("its lease is gone");
            if (!membership.join(name, about)) {
                throw new StoreException(
                        Kind.REJECTED, "another node is there as " + name + " now: " + ClusterSettings.REACHABLE);
            }
        }
        long until = good;
        good = began + lease.toNanos();
        if (elected && elapsedNanos.getAsLong() - until >= 0) {
            // It is kept after all, but for a moment it was not, and work may not have been begun because of that.
            lost("its lease ran out");
        }
        if (resigning) {
            membership.resign();
            resigning = false;
        }
        long known = epoch == 0 ? 0 : committed.getAsLong();
        writer = membership.writer().orElse(null);
        damage = membership.damage().orElse(null);
        lookAfterLoss();
        if (membership.wasSetBack(known)) {
            lost("etcd was set back to an earlier state");
        }
        nodes = membership.nodes();
        if (!nodes.containsKey(name)) {
            membership.sayAgain(about); // Else nobody finds the way here, though it may write.
            nodes = membership.nodes();
        }
        witness.seen(nodes);
        if (elected) {
            beat();
            tidy();
        } else {
            campaign();
        }
        membershipLog.seen(name, writer, nodes);
    }

    /** Publishes this node's clock vote, and reads those of the others. */
    private void compareClocks() throws StoreException {
        if (nextClock != null && elapsedNanos.getAsLong() - nextClock < 0) {
            return;
        }
        nextClock = elapsedNanos.getAsLong() + BETWEEN_CLOCKS.toNanos();
        Optional<ClockVote> own = time.vote();
        if (own.isPresent()) {
            membership.sayClock(own.get().text());
        }
        Map<String, ClockVote> said = ClockVote.of(membership.clocks());
        own.ifPresent(vote -> said.put(name, vote));
        time.voted(new ClockVotes(Set.copyOf(nodes.keySet()), said));
    }

    private void lookAfterLoss() throws StoreException {
        LostCommits own = toReport;
        if (own != null) {
            membership.reportLoss(own);
            toReport = null;
        }
        LostCommits written = noted;
        if (written != null) {
            membership.forgetLoss(written);
            noted = null;
        }
        reported =
                membership.reportedLoss().filter(loss -> !loss.equals(written)).orElse(null);
        if (reported != null && elected) {
            witness.changed();
        }
    }

    private void beat() throws StoreException {
        long speaking = epoch;
        if (speaking != 0 && elapsedNanos.getAsLong() - nextBeat >= 0) {
            nextBeat = elapsedNanos.getAsLong() + BETWEEN_BEATS.toNanos() - PACE.toNanos() / 2;
            long sent = elapsedNanos.getAsLong();
            if (membership.beat(new Beat(time.now().wall(), speaking))) {
                beaten = sent;
            } else {
                lost("another node writes");
            }
            spoke = elapsedNanos.getAsLong();
        }
    }

    /** etcd keeps every old revision until it is compacted, which is done after some minutes. */
    private void tidy() throws StoreException {
        long now = elapsedNanos.getAsLong();
        if (now - nextTidying >= 0) {
            nextTidying = now + BETWEEN_TIDYINGS.toNanos();
            if (old > 0) {
                membership.forgetBefore(old);
            }
            old = membership.revision();
        }
    }

    private void campaign() throws StoreException {
        // One that is this node's own is left over from before it lost, or from an attempt that was not answered.
        boolean free = writer == null || writer.equals(name);
        if (free && !vacant) {
            vacantSince = elapsedNanos.getAsLong();
        }
        vacant = free;
        if (!free || !mayStand || resigning || elapsedNanos.getAsLong() - standsFrom < 0 || waits()) {
            return;
        }
        if (membership.stand() && beginTerm()) {
            writer = name;
            nextBeat = elapsedNanos.getAsLong();
            nextTidying = nextBeat;
            old = 0; // What was current when this node wrote last may be a moment ago.
            witness.changed();
        }
    }

    /** False if this node resigned while etcd was asked: what was won is given back in the next round. */
    private synchronized boolean beginTerm() {
        elected = !resigning;
        return elected;
    }

    /** A node whose clock is off lets others stand first, for one lease. */
    private boolean waits() {
        return time.isOff() && elapsedNanos.getAsLong() - vacantSince < lease.toNanos();
    }

    /** Whether it stands or not: when it must, it is too late to set the clock. Once, and again if it becomes worse. */
    private void warnIfClockIsOff() {
        Duration off = time.off();
        if (time.isSettling()) {
            return;
        }
        if (off.compareTo(MUCH) <= 0) {
            told = Duration.ZERO;
        } else if (off.minus(told).compareTo(MUCH) > 0) {
            told = off;
            log.write(LogLine.warning("clock-off")
                    .with("by", off.toMillis() + "ms")
                    .with("fix", "synchronise this machine's clock; until then other nodes write before it"));
        }
    }

    private void lost(String why) {
        if (endTerm()) {
            log.write(LogLine.warning("writer-lost").with("node", name).with("reason", why));
            witness.changed();
        }
    }

    private synchronized boolean endTerm() {
        boolean was = elected;
        stepDown();
        return was;
    }

    /** Logs each problem once, not twice a second. */
    private void reportProblem(StoreException problem) {
        if (!problem.getMessage().equals(complaint)) {
            complaint = problem.getMessage();
            log.write(LogLine.warning("lease").with("failure", complaint));
        }
    }

    /** Lets another write at once. */
    @Override
    public void close() {
        closing = true;
        elected = false;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        membership.close();
    }
}
