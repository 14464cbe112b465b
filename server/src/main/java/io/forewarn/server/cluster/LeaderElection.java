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
    public interface Listener {
        /** This node was elected, or is no longer the writer. */
        void changed();

        /** All live nodes by name, with what each publishes about itself; called in every round, before this node campaigns. */
        void seen(Map<String, String> nodes);

        /** The lease is no longer kept, and this node cannot continue. */
        void died(Throwable fault);
    }

    private static final Duration PACE = Duration.ofMillis(500);
    private static final Duration BETWEEN_BEATS = Duration.ofSeconds(1);
    private static final Duration BETWEEN_COMPACTIONS = Duration.ofMinutes(5);
    private static final Duration BETWEEN_CLOCKS = Duration.ofSeconds(2);
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    private final ClusterMembership membership;
    private final Duration lease;
    private final ClusterClock time;
    private final LongSupplier elapsedNanos;
    private final Log log;
    private final Listener listener;
    private final MembershipLog membershipLog;
    private final Thread thread = new Thread(this::run, "forewarn-lease");

    private volatile String name;
    private volatile String about;
    private long nextBeat;
    private Long nextClock;
    private long nextCompaction;
    private long oldRevision;
    private long vacantSince;
    private boolean vacant;
    private Duration reportedOffset = Duration.ZERO;
    private volatile String lastProblem;
    private volatile String damage;
    private volatile LostCommits toReport;
    private volatile LostCommits reported;
    private volatile LostCommits recordedLoss;
    private volatile LongSupplier committed = () -> 0;
    private long lastAccepted;
    private volatile boolean closing;
    private volatile boolean resigning;
    private volatile boolean mayCampaign;
    private volatile long campaignFrom;
    private volatile boolean elected;
    private volatile boolean leading;
    private volatile long epoch;
    private volatile long leaseUntil;
    /** When the last heartbeat that etcd accepted was sent; null if there was none. */
    private volatile Long lastBeatSent;

    private volatile String writer;
    private volatile Map<String, String> nodes = Map.of();

    public LeaderElection(
            ClusterMembership membership,
            Duration lease,
            ClusterClock time,
            LongSupplier elapsedNanos,
            Log log,
            Listener listener) {
        this.membership = membership;
        this.lease = lease;
        this.time = time;
        this.elapsedNanos = elapsedNanos;
        this.log = log;
        this.listener = listener;
        this.membershipLog = new MembershipLog(log);
    }

    boolean join(String node, String aboutIt) throws StoreException {
        return join(node, aboutIt, others -> {});
    }

    /**
     * Publishes this node and begins to renew its lease. Returns false if another node has this name.
     *
     * @param check gets the live nodes before this node is published and again afterwards, so that of two nodes that join at
     *     the same time one sees the other. If it throws, this node does not join
     */
    public boolean join(String node, String aboutIt, Consumer<Map<String, String>> check) throws StoreException {
        check.accept(membership.nodes());
        name = node;
        about = aboutIt;
        if (!membership.join(node, aboutIt)) {
            return false;
        }
        check.accept(membership.nodes());
        leaseUntil = elapsedNanos.getAsLong() + lease.toNanos();
        campaignFrom = elapsedNanos.getAsLong();
        membership.lastBeat().ifPresent(beat -> time.resumes(beat.time()));
        thread.start();
        return true;
    }

    /** This node has all records and may become the writer. */
    void allowCampaign() {
        mayCampaign = true;
    }

    /** This node cannot read what others wrote, and must not become the writer. */
    void forbidCampaign() {
        mayCampaign = false;
    }

    /** Whether this node is elected and its lease is valid. */
    boolean elected() {
        return elected && leaseIsValid();
    }

    /** Whether the lease is valid, judged by when its last renewal was sent. */
    private boolean leaseIsValid() {
        return elapsedNanos.getAsLong() - leaseUntil < 0;
    }

    /** This node becomes the writer; work of an earlier term is no longer its own. */
    synchronized void becomeLeader() {
        leading = elected;
    }

    /**
     * Whether drivers may start work: while the lease is valid under which this node became the writer. A later lease does not
     * count, because another node may have been the writer in between and have asked for the state of that work.
     */
    public boolean mayStartWork() {
        return leading && leaseIsValid();
    }

    /** When the last heartbeat that etcd accepted was sent, in elapsed time: up to then this node was certainly the writer; null if it never was. */
    Long lastBeatNanos() {
        return lastBeatSent;
    }

    /** Ends the term when the lease has expired, even while a request to etcd hangs. Any thread, several times a second. */
    public void checkLease() {
        if (elected && !leaseIsValid()) {
            lost("its lease expired");
        }
    }

    /** For how long drivers may still start work; 0 or less if they may not. */
    public long workPermitNanos() {
        return leading ? leaseUntil - elapsedNanos.getAsLong() : 0;
    }

    /** Sets the epoch under which this node announces the time, unless its lease has expired since it became the writer. */
    synchronized void announceAs(long writerEpoch) {
        epoch = leading ? writerEpoch : 0;
    }

    /** @param last the last commit of this node, which etcd must never lose */
    void hasWritten(LongSupplier last) {
        committed = last;
    }

    /** Whether this node is still the writer of that epoch: not if its lease expired meanwhile, even if it was elected again. */
    boolean isStillWriter(long writerEpoch) {
        return epoch == writerEpoch;
    }

    /**
     * This node was elected but could not take over. It does not campaign for the length of a lease; the others check for a
     * writer twice a second.
     */
    void holdBack() {
        campaignFrom = elapsedNanos.getAsLong() + lease.toNanos();
        resign();
    }

    /** This node is no longer the writer. It does not campaign again until it has resigned in etcd. */
    synchronized void resign() {
        stepDown();
        resigning = true;
    }

    private void stepDown() {
        elected = false;
        leading = false;
        epoch = 0;
    }

    /** The name of the writer. */
    Optional<String> writer() {
        return Optional.ofNullable(writer);
    }

    /** All live nodes by name, with what each publishes about itself. */
    Map<String, String> nodes() {
        return nodes;
    }

    String name() {
        return name;
    }

    /** The last problem with etcd while keeping the lease; empty if it is over. */
    Optional<String> problem() {
        return Optional.ofNullable(lastProblem);
    }

    /** This node knows which commits etcd lost when it was set back; the writer records the loss. */
    public void reportLoss(LostCommits lost) {
        toReport = lost;
    }

    /** The loss to record; null if there is none. */
    LostCommits reportedLoss() {
        return reported;
    }

    /** The loss has been recorded. */
    void noted(LostCommits lost) {
        reported = null;
        recordedLoss = lost;
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
            listener.died(fault);
        }
    }

    private void turn() {
        long began = elapsedNanos.getAsLong();
        try {
            round(began);
            lastProblem = null;
        } catch (StoreException problem) {
            reportProblem(problem);
        }
        if (elected && !leaseIsValid()) {
            lost("its lease expired");
        }
        stepDownIfRejected();
        if (lastProblem == null) {
            compareClocksOrReport();
        }
        warnIfClockIsOff();
    }

    /** After everything that keeps the lease: it may take long, and nothing waits for it. */
    private void compareClocksOrReport() {
        try {
            compareClocks();
        } catch (StoreException problem) {
            reportProblem(problem);
        }
    }

    /** etcd may keep the lease of a node whose writes it rejects, and no other node could be elected. */
    private void stepDownIfRejected() {
        long now = elapsedNanos.getAsLong();
        if (epoch == 0) {
            lastAccepted = now;
        } else if (now - lastAccepted > lease.toNanos() * 2) {
            lost("etcd accepted nothing from it for two leases" + (lastProblem == null ? "" : ": " + lastProblem));
            campaignFrom = now + lease.toNanos();
            membership.abandon();
        }
    }

    private void round(long began) throws StoreException {
        if (!membership.keep()) {
            lost("its lease no longer exists");
            if (!membership.join(name, about)) {
                throw new StoreException(
                        Kind.REJECTED, "another node is using the name " + name + " now: " + ClusterSettings.REACHABLE);
            }
        }
        long until = leaseUntil;
        leaseUntil = began + lease.toNanos();
        if (elected && elapsedNanos.getAsLong() - until >= 0) {
            // It was renewed, but too late: in between, drivers may have been refused to start work.
            lost("its lease expired");
        }
        if (resigning) {
            membership.resign();
            resigning = false;
        }
        long known = epoch == 0 ? 0 : committed.getAsLong();
        writer = membership.writer().orElse(null);
        damage = membership.damage().orElse(null);
        exchangeLosses();
        if (membership.wasSetBack(known)) {
            lost("etcd was set back to an earlier state");
        }
        nodes = membership.nodes();
        if (!nodes.containsKey(name)) {
            membership.publishAgain(about); // Otherwise other nodes could not find this node, which may be the writer.
            nodes = membership.nodes();
        }
        listener.seen(nodes);
        if (elected) {
            beat();
            compact();
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
            membership.publishClock(own.get().text());
        }
        Map<String, ClockVote> clocks = ClockVote.of(membership.clocks());
        own.ifPresent(vote -> clocks.put(name, vote));
        time.voted(new ClockVotes(Set.copyOf(nodes.keySet()), clocks));
    }

    private void exchangeLosses() throws StoreException {
        LostCommits own = toReport;
        if (own != null) {
            membership.reportLoss(own);
            toReport = null;
        }
        LostCommits written = recordedLoss;
        if (written != null) {
            membership.forgetLoss(written);
            recordedLoss = null;
        }
        reported =
                membership.reportedLoss().filter(loss -> !loss.equals(written)).orElse(null);
        if (reported != null && elected) {
            listener.changed();
        }
    }

    private void beat() throws StoreException {
        long current = epoch;
        if (current != 0 && elapsedNanos.getAsLong() - nextBeat >= 0) {
            nextBeat = elapsedNanos.getAsLong() + BETWEEN_BEATS.toNanos() - PACE.toNanos() / 2;
            long sent = elapsedNanos.getAsLong();
            if (membership.beat(new Beat(time.now().wall(), current))) {
                lastBeatSent = sent;
            } else {
                lost("another node is the writer");
            }
            lastAccepted = elapsedNanos.getAsLong();
        }
    }

    /** etcd keeps every old revision until it is compacted, which is done after some minutes. */
    private void compact() throws StoreException {
        long now = elapsedNanos.getAsLong();
        if (now - nextCompaction >= 0) {
            nextCompaction = now + BETWEEN_COMPACTIONS.toNanos();
            if (oldRevision > 0) {
                membership.forgetBefore(oldRevision);
            }
            oldRevision = membership.revision();
        }
    }

    private void campaign() throws StoreException {
        // An entry of this node itself is left over from an earlier term, or from an attempt without an answer.
        boolean free = writer == null || writer.equals(name);
        if (free && !vacant) {
            vacantSince = elapsedNanos.getAsLong();
        }
        vacant = free;
        if (!free || !mayCampaign || resigning || elapsedNanos.getAsLong() - campaignFrom < 0 || letsOthersGoFirst()) {
            return;
        }
        if (membership.campaign() && beginTerm()) {
            writer = name;
            nextBeat = elapsedNanos.getAsLong();
            nextCompaction = nextBeat;
            oldRevision = 0; // The revision recordedLoss in an earlier term may be too recent.
            listener.changed();
        }
    }

    /** Returns false if this node resigned during the election; the next round then resigns in etcd. */
    private synchronized boolean beginTerm() {
        elected = !resigning;
        return elected;
    }

    /** A node whose clock is off lets others campaign first, for one lease. */
    private boolean letsOthersGoFirst() {
        return time.isOff() && elapsedNanos.getAsLong() - vacantSince < lease.toNanos();
    }

    /** Warns of an inaccurate clock before this node becomes the writer, once, and again if it gets worse. */
    private void warnIfClockIsOff() {
        Duration off = time.off();
        if (time.isSettling()) {
            return;
        }
        if (off.compareTo(CLOCK_TOLERANCE) <= 0) {
            reportedOffset = Duration.ZERO;
        } else if (off.minus(reportedOffset).compareTo(CLOCK_TOLERANCE) > 0) {
            reportedOffset = off;
            log.write(LogLine.warning("clock-off")
                    .with("by", off.toMillis() + "ms")
                    .with(
                            "fix",
                            "synchronise this machine's clock; until then other nodes are preferred as the writer"));
        }
    }

    private void lost(String why) {
        if (endTerm()) {
            log.write(LogLine.warning("writer-lost").with("node", name).with("reason", why));
            listener.changed();
        }
    }

    private synchronized boolean endTerm() {
        boolean was = elected;
        stepDown();
        return was;
    }

    /** Logs each problem once, not twice a second. */
    private void reportProblem(StoreException problem) {
        if (!problem.getMessage().equals(lastProblem)) {
            lastProblem = problem.getMessage();
            log.write(LogLine.warning("lease").with("failure", lastProblem));
        }
    }

    /** Resigns, so that another node can become the writer at once. */
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
