package io.forewarn.server.cluster;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.engine.Replica;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.StateReader;
import io.forewarn.server.forward.ReportForwarder;
import io.forewarn.server.forward.WriterClient;
import io.forewarn.server.forward.WriterForwarder;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The command gateway of a cluster node. If this node is the writer its engine decides commands; otherwise they are
 * forwarded.
 *
 * <p>The thread that calls {@link #turn} owns the state: it follows another writer or writes itself, and switches between
 * the two between turns. To take over, it claims the store, which fences the previous writer; applies what that writer had
 * committed; and only then opens an engine over the state. To step down, it closes the engine and starts to follow again.
 */
public final class ClusterGateway implements CommandGateway, WriterThreadTask {
    /** Opens the engine when this node becomes the writer. */
    public interface TakeOver {
        Engine open(Replica replica, Duration timeout) throws StoreException;
    }

    private static final String SET_BACK = "the store was set back to an earlier state";
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

    private final Replica replica;
    private final Rules rules;
    private final TakeOver takeOver;
    private final Consumer<Engine> installed;
    private final Consumer<Instant> moved;
    private final LeaderElection election;
    private final ClusterClock time;
    private final Duration lease;
    private final LongSupplier elapsedNanos;
    private final Log log;
    private WriterForwarder forwarder;
    private ReportForwarder reports;
    private Runnable commitsApplied = () -> {};
    /** The loss that is being recorded. */
    private volatile LostCommits noting;

    private long nextAttempt;
    private long nextCheck;
    private Replica.Heard last;
    private volatile Engine engine;
    private volatile StoreException trouble;
    /** When this node was last known to be the writer, in elapsed time; null if it never was. */
    private volatile Long wrote;
    /** This node's last commit before its last stall. */
    private long beforeStall;

    /**
     * @param rules for read requests
     * @param installed receives each new engine, and null when this node stops being the writer
     * @param moved receives the time of the writer's manual clock; null if it has none
     */
    public ClusterGateway(
            Replica replica,
            Rules rules,
            TakeOver takeOver,
            Consumer<Engine> installed,
            Consumer<Instant> moved,
            LeaderElection election,
            ClusterClock time,
            Duration lease,
            LongSupplier elapsedNanos,
            Log log) {
        this.replica = replica;
        this.rules = rules;
        this.takeOver = takeOver;
        this.installed = installed;
        this.moved = moved;
        this.election = election;
        this.time = time;
        this.lease = lease;
        this.elapsedNanos = elapsedNanos;
        this.log = log;
    }

    /** Sets the forwarders, before the first turn. The client is told when this node has applied commits. */
    public void setForwarders(WriterClient client, WriterForwarder commands, ReportForwarder reporter) {
        forwarder = commands;
        reports = reporter;
        commitsApplied = client::caughtUp;
    }

    // Turns

    @Override
    public int turn(ClockReading now) {
        Engine writing = engine;
        if (writing == null) {
            return election.elected() ? takeOver() : follow();
        }
        if (!election.elected() || !election.isStillWriter(writing.epoch()) || writing.isFenced()) {
            stepDown(writing);
            return 1;
        }
        noteLoss(writing);
        if (writing.commit() > beforeStall) {
            time.stallCounted();
        }
        return writing.turn(now);
    }

    /** All nodes may have been stopped together and have lost the lease; the next writer counts the time. */
    @Override
    public void stalled(Duration missed, ClockReading now) {
        time.stalled(missed);
        Engine writing = engine;
        if (writing != null) {
            beforeStall = writing.commit();
            writing.stalled(missed, now);
        }
    }

    /** Once for each loss that some node has reported. */
    private void noteLoss(Engine writing) {
        LostCommits lost = election.reportedLoss();
        if (lost == null || lost.equals(noting)) {
            return;
        }
        noting = lost;
        writing.submit(new Command.NoteLoss(lost, SET_BACK, Actor.SERVICE)).whenComplete((done, failure) -> {
            if (failure == null) {
                election.noted(lost);
            }
            noting = null;
        });
    }

    private int takeOver() {
        long began = elapsedNanos.getAsLong();
        election.becomeLeader();
        try {
            Engine opened = takeOver.open(replica, lease);
            replica.rest();
            time.leads(true);
            engine = opened;
            beforeStall = opened.commit();
            installed.accept(opened);
            election.hasWritten(opened::commit);
            election.announceAs(opened.epoch());
            trouble = null;
            commitsApplied.run();
            log.write(LogLine.info("writer")
                    .with("node", election.name())
                    .with("epoch", opened.epoch())
                    .with("took", (elapsedNanos.getAsLong() - began) / 1_000_000 + "ms"));
            return 1;
        } catch (StoreException problem) {
            trouble = problem;
            election.holdBack();
            replica.rest();
            log.write(LogLine.warning("take-over-failed").with("failure", problem.getMessage()));
            return 0;
        }
    }

    private void stepDown(Engine writing) {
        wrote = election.lastBeatNanos();
        engine = null;
        time.leads(false);
        election.resign();
        installed.accept(null);
        writing.fence("this node is no longer the writer");
        replica.wrote(writing.head());
        log.write(LogLine.warning("follower").with("node", election.name()));
    }

    /** Answers waiting callers at once when the lease is lost, because a commit may hang. Any thread. */
    public void released() {
        Engine writing = engine;
        if (writing != null && !election.isStillWriter(writing.epoch())) {
            writing.release("this node is no longer the writer");
        }
    }

    private int follow() {
        long now = elapsedNanos.getAsLong();
        if (now - nextAttempt < 0) {
            return 0;
        }
        try {
            int applied = replica.turn();
            replica.heard().filter(heard -> heard != last).ifPresent(this::heard);
            trouble = null;
            moved.accept(replica.view().clock());
            commitsApplied.run();
            reconnectIfSilent(now);
            if (replica.isWhole()) {
                election.allowCampaign();
            }
            return applied;
        } catch (StoreException problem) {
            logIfUnreadable(problem);
            trouble = problem;
            boolean unreadable = problem.kind() == StoreException.Kind.UNREADABLE;
            if (unreadable) {
                // A newer release wrote it; only a node that can read it may become the writer.
                election.forbidCampaign();
            }
            nextAttempt = now + (unreadable ? lease : RETRY_PAUSE).toNanos();
            return 0;
        }
    }

    /** Logs each message once. */
    private void logIfUnreadable(StoreException problem) {
        StoreException before = trouble;
        if (problem.kind() == StoreException.Kind.UNREADABLE
                && (before == null || !problem.getMessage().equals(before.getMessage()))) {
            log.write(LogLine.error("store-unreadable").with("detail", problem.getMessage()));
        }
    }

    private void heard(Replica.Heard heard) {
        last = heard;
        time.heard(heard.beat(), heard.nanos());
    }

    private void reconnectIfSilent(long now) {
        if (now - nextCheck >= 0) {
            boolean silent = lag().filter(lag -> lag.compareTo(lease) <= 0).isEmpty();
            if (silent && nextCheck != 0) {
                replica.renew();
            }
            nextCheck = now + lease.toNanos();
        }
    }

    @Override
    public Optional<Instant> due() {
        Engine writing = engine;
        return writing == null ? Optional.empty() : writing.due();
    }

    @Override
    public boolean writes() {
        return engine != null;
    }

    @Override
    public void close(ClockReading now) {
        Engine writing = engine;
        if (writing != null) {
            writing.close(now);
        }
    }

    // Status

    /** Whether the state served here is at most two leases old. */
    public boolean fresh() {
        return age() == 0;
    }

    /**
     * How many seconds old the state served here may be, once that is more than two leases; otherwise 0. A writer whose lease
     * expired, perhaps while it was suspended, may have been replaced right after the last heartbeat that etcd accepted. Called for
     * every poll, so it must be fast.
     */
    public long age() {
        StoreException known = trouble;
        if (election.isDamaged() || known != null && known.kind() == StoreException.Kind.UNREADABLE) {
            return 1;
        }
        boolean writing = engine != null;
        if (writing && election.mayStartWork()) {
            return 0;
        }
        Long heard = writing ? election.lastBeatNanos() : lastHeard();
        if (heard == null || !writing && replica.head().isEmpty()) {
            return 1;
        }
        if (writing) {
            return Math.max(1, TimeUnit.NANOSECONDS.toSeconds(elapsedNanos.getAsLong() - heard));
        }
        long nanos = elapsedNanos.getAsLong() - heard;
        return nanos <= 2 * lease.toNanos() ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos));
    }

    /** How long ago this node heard from the writer, or was the writer itself; empty if that never happened or it is the writer now. */
    public Optional<Duration> lag() {
        Long heard = engine == null ? lastHeard() : null;
        return Optional.ofNullable(heard).map(then -> Duration.ofNanos(elapsedNanos.getAsLong() - then));
    }

    /** In elapsed time. */
    private Long lastHeard() {
        Long own = wrote;
        Replica.Heard heard = replica.heard().orElse(null);
        return heard == null ? own : own == null || heard.nanos() - own > 0 ? Long.valueOf(heard.nanos()) : own;
    }

    /** The engine, if this node is the writer. */
    public Optional<Engine> engine() {
        return Optional.ofNullable(engine);
    }

    // CommandGateway

    @Override
    public PublishedState view() {
        return replica.view();
    }

    @Override
    public Rules rules() {
        return rules;
    }

    @Override
    public CompletableFuture<CommandResult> submit(Command command, Engine.Once once) {
        Engine writing = engine;
        return writing == null
                ? forwarder.submit(command)
                : writing.submit(command, once).exceptionallyCompose(failure -> orForward(command, failure));
    }

    /** Commands that still waited when this node stopped being the writer were not carried out: those of machines are forwarded. */
    private CompletableFuture<CommandResult> orForward(Command command, Throwable failure) {
        return failure instanceof RefusedException refusal && refusal.problem() == Problem.NOT_WRITER
                ? forwarder.submitElsewhere(command)
                : CompletableFuture.failedFuture(failure);
    }

    @Override
    public Optional<Instant> answered(Engine.Once once) {
        return engine().flatMap(writing -> writing.answered(once));
    }

    @Override
    public CompletableFuture<CommandResult> change(
            Function<StateReader, FleetChange> plan, Actor actor, Engine.Once once) {
        Engine writing = engine;
        return writing != null ? writing.change(plan, actor, once) : forwarder.misdirected();
    }

    @Override
    public CompletableFuture<CommandResult> roll(RolloutSpec spec, Actor actor, Engine.Once once) {
        Engine writing = engine;
        return writing != null ? writing.roll(spec, actor, once) : forwarder.misdirected();
    }

    @Override
    public void sighted(Command.Sight sighting) {
        Engine writing = engine;
        if (writing != null) {
            writing.sighted(sighting);
        } else {
            reports.sighted(sighting);
        }
    }

    @Override
    public void denied(String asked, RefusedException refusal, Actor actor) {
        Engine writing = engine;
        if (writing != null) {
            writing.denied(asked, refusal, actor);
        } else {
            reports.denied(new Command.Denied(asked, refusal.problem(), refusal.getMessage(), actor));
        }
    }

    @Override
    public Optional<StoreException> trouble() {
        Engine writing = engine;
        Optional<StoreException> known = writing != null ? writing.trouble() : Optional.ofNullable(trouble);
        return known.isPresent()
                ? known
                : election.damage().map(why -> new StoreException(StoreException.Kind.UNREADABLE, why));
    }

    @Override
    public long epoch() {
        Engine writing = engine;
        return writing != null
                ? writing.epoch()
                : replica.head().map(Head::epoch).orElse(0L);
    }

    @Override
    public long commit() {
        Engine writing = engine;
        return writing != null
                ? writing.commit()
                : replica.head().map(Head::seq).orElse(0L);
    }

    @Override
    public int queued() {
        Engine writing = engine;
        return writing == null ? 0 : writing.queued();
    }
}
