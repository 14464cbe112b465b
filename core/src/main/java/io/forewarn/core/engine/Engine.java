package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.IdempotencyRecord;
import io.forewarn.core.rules.LogPage;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.core.rules.StateReader;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one writer.
 *
 * <p><b>A turn.</b> Whoever owns the thread calls {@link #turn}. A turn takes what fell due and what is queued, asks the
 * {@link Rules} about each on a draft laid over the published {@link PublishedState}, and writes all that stood as one commit. Only
 * when the store says it is durable is the draft published, are callers answered and drivers told. While a commit is under
 * way others queue up, so that the next one carries them all: that is the whole of group commit, nobody waits on purpose.
 *
 * <p><b>What is known.</b> The view holds exactly what is committed, so a rejected commit needs no undoing: the draft is
 * dropped and everyone in it told. After an uncertain commit nobody is told anything; the store is opened afresh, and what
 * it then says decides. Meanwhile newcomers are refused at once, and readers go on with the view.
 *
 * <p><b>Due work is never lost.</b> Deadlines are derived from the published state, so a turn that could not be committed
 * leaves them where they were. What drivers report is repeated by the drivers until its future succeeds. What nobody would ask
 * for again is put back after a rejected commit, and waits a little, as does all that the engine does by itself, so that a full disk
 * does not keep it busy; whatever commits before ends the pause.
 *
 * <p>All methods are for the writer's thread but those that say otherwise.
 */
public final class Engine implements CommandGateway {
    /** A key under which a repeated request is answered again and not done again. */
    public record Once(String key, String fingerprint) {}

    /**
     * @param resumeGrace how long the service must have been readable before anything starts by time
     * @param logKept how long history is kept
     */
    public record Settings(ServiceTerms terms, Duration resumeGrace, Duration logKept) {}

    static final int QUEUE = 10_000;
    static final int BATCH = 512;
    private static final int SIGHTINGS = 100_000;
    private static final int DENIALS = 1000;
    /** So that approvals do not wait while a rollout is opened. */
    private static final int ROLLS_PER_BATCH = 16;

    private static final Duration TRY_ROLL_AGAIN = Duration.ofMinutes(1);

    /** What may let another piece of a rollout go on. */
    private static final Set<String> MOVES = Stream.concat(
                    Arrays.stream(Transition.values())
                            .filter(transition -> transition.to() == Phase.GONE)
                            .map(Transition::name),
                    Stream.of(HistoryEntry.What.RECOVERED.name()))
            .collect(Collectors.toUnmodifiableSet());

    private static final Duration LATE = Duration.ofSeconds(1);
    /** By how much the wall may differ from what the time that passed says, before service time counts as set. */
    private static final Duration LEAP = Duration.ofSeconds(5);
    /** While service time draws nearer to a clock it goes faster or slower, but never by this part. */
    private static final int SLEWED = 5;

    private static final long PAUSE_BETWEEN_TRIES = Duration.ofSeconds(1).toNanos();
    /** How long those wait whose commit is in doubt. */
    private static final long LONGEST_DOUBT = Duration.ofSeconds(3).toNanos();

    private final EngineContext context;
    private final Rules rules;
    private final CommitBuilder commitBuilder;
    private final Store.Limits limits;
    private final Deadlines deadlines;
    private final RolloutWorkQueue rolloutQueue = new RolloutWorkQueue();
    private final IdempotencyCache results;
    private final PublishedState view;
    private final Housekeeping housekeeping;
    private final AuditWriter auditWriter;

    private final BlockingQueue<PendingCommand> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Queue<Command.Sight> sightings = new ArrayBlockingQueue<>(SIGHTINGS);
    private final Queue<Command.Denied> denials = new ArrayBlockingQueue<>(DENIALS);
    private final Deque<PendingCommand> own = new ArrayDeque<>();
    /** What a rejected commit gave back. */
    private final Deque<PendingCommand> again = new ArrayDeque<>();
    /** What is to be written of refusals that did not get into a commit: room for them was taken once. */
    private final IdentityHashMap<PendingCommand, Optional<AuditEntry>> unwritten = new IdentityHashMap<>();

    private final Deque<PendingCommand> deferred = new ArrayDeque<>();

    /** The groups that are to be looked at again because a policy changed; whoever changed it waits for them. */
    private final List<CompletableFuture<CommandResult>> lookedAt = new ArrayList<>();

    private final long epoch;
    private volatile long seq;
    private StagedCommit stagedCommit;
    private PendingCommit uncertain;
    private long uncertainSince;
    private boolean doubtTold;
    private long nextTry;
    private long nextLook;
    private boolean missing;
    /** Until when the engine does nothing by itself, as service time says; null if it does. */
    private Instant pause;

    private long pauseEnds;
    private final Duration grace;
    private ClockReading latest;
    /** On the monotonic face: up to then no answer is forgotten, because service time was set. */
    private Long keepsAnswers;

    private volatile StoreException trouble;
    /** What is being committed, or may have been. */
    private volatile PendingCommit attempted;

    private volatile boolean closed;

    private Engine(
            Settings settings,
            Supplier<EventId> ids,
            EngineContext context,
            PublishedState view,
            IdempotencyCache results,
            long epoch,
            long seq) {
        this.context = context;
        this.rules = new Rules(settings.terms(), ids, context.impact()::expected);
        this.commitBuilder = new CommitBuilder(context.format(), view);
        this.limits = context.store().limits();
        this.view = view;
        this.results = results;
        this.deadlines = new Deadlines(rules, view);
        this.epoch = epoch;
        this.seq = seq;
        this.auditWriter = new AuditWriter(context.format(), view);
        this.housekeeping = new Housekeeping(context, view, settings.logKept());
        this.grace = settings.resumeGrace();
    }

    /**
     * Takes the store, reads it, and is ready for its first turn.
     *
     * @param ids where new events get their ids from
     * @throws StoreException if the store cannot be taken or read; nothing is half open then
     */
    public static Engine open(Settings settings, Supplier<EventId> ids, EngineContext context) throws StoreException {
        Store store = context.store();
        Store.Head head = store.claim();
        StagedCommit.Finished finished = StagedCommit.finish(store, head.seq() + 1, head.epoch());
        PublishedState view = new PublishedState();
        new StateLoader(store, context.format(), view).fleetAndState();
        return begin(settings, ids, context, view, new IdempotencyLoader(store, context.format()), head, finished);
    }

    /**
     * The same over a view that was kept current so far, from the thread that did. The writer before this one is fenced first,
     * so that nothing comes after what the view then holds.
     *
     * @param patience how long the feed may take to bring the last commits
     */
    public static Engine over(
            Settings settings, Supplier<EventId> ids, EngineContext context, Replica replica, Duration patience)
            throws StoreException {
        Store store = context.store();
        Store.Head head = store.claim();
        if (replica.isBeyond(head)) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "this node knows commits later than " + head.seq()
                            + ", where the store stands: it was set back to an earlier state and must be read anew");
        }
        if (!replica.reach(head.seq(), patience.toNanos())) {
            throw new StoreException(
                    StoreException.Kind.REJECTED, "the feed did not bring commit " + head.seq() + " in time");
        }
        Optional<LostCommits> lost = replica.lost();
        Store.Head from = head;
        if (lost.isPresent() && lost.get().last() > head.seq()) {
            // No number is used twice: nodes that were away meanwhile know the lost commits by them.
            store.skipTo(lost.get().last());
            from = new Store.Head(lost.get().last(), head.epoch());
        }
        StagedCommit.Finished finished = StagedCommit.finish(store, from.seq() + 1, head.epoch());
        return begin(settings, ids, context, replica.view(), replica.recall(), head, finished);
    }

    private static Engine begin(
            Settings settings,
            Supplier<EventId> ids,
            EngineContext context,
            PublishedState view,
            IdempotencyLoader idempotencyLoader,
            Store.Head head,
            StagedCommit.Finished finished)
            throws StoreException {
        idempotencyLoader.reach(head.seq());
        while (idempotencyLoader.slice()) {
            // Until all answers are known: what was done must not be done again.
        }
        Engine engine = new Engine(
                settings, ids, context, view, idempotencyLoader.answers(), head.epoch(), finished.next() - 1);
        ClockReading now = context.clock().now();
        new StateLoader(context.store(), context.format(), view).audit();
        engine.resume(now, Set.of(head.seq(), finished.generation()));
        return engine;
    }

    /** Where a manual clock stood when the store was last used. */
    public static Optional<Instant> storedClock(Store store, RecordFormat format) throws StoreException {
        return StateLoader.clock(store, format);
    }

    /** When the store was last used, as far as it tells. */
    public static StoredTime storedTime(Store store, RecordFormat format) throws StoreException {
        return StateLoader.time(store, format);
    }

    /** @param last the commits whose announcements may never have been readable */
    private void resume(ClockReading now, Set<Long> last) {
        view.since(now.wall());
        Instant alive = context.clock()
                .unreadableSince()
                .filter(then -> then.isBefore(now.wall()))
                .orElse(now.wall());
        deadlines.notBefore(now.nanos() + grace.toNanos());
        for (GroupView group : view.allGroups()) {
            GroupState state = group.state();
            deadlines.loaded(
                    state,
                    now,
                    alive,
                    event -> last.contains(event.noticePeriod().commit()));
            delayUnread(state, last, now);
            if (state.events().stream()
                    .anyMatch(e -> e.phase() == Phase.SCHEDULED
                            && (e.isApproved() || e.work().unit() != null))) {
                // What held it may have gone, and whom it hits may have changed, with the very last commit.
                ask(new Command.Due(group.id()));
            }
            state.events().stream()
                    .filter(e -> e.phase() == Phase.STARTED && leads(e))
                    .forEach(e -> context.impact().status(task(state.group(), e)));
        }
        for (Rollout rollout : view.rollouts()) {
            rolloutQueue.published(rollout);
            for (int chunk = 0; chunk < RolloutUnitChunk.chunks(rollout.units()); chunk++) {
                rolloutQueue.published(null, view.units(rollout.name(), chunk));
            }
        }
    }

    private boolean leads(Event event) {
        return Optional.ofNullable(event.work().unit())
                .flatMap(view::open)
                .map(piece -> piece.lead().equals(event.id()))
                .orElse(true);
    }

    /** What the very last commit announced may never have been readable before the crash: its notice begins now. */
    private void delayUnread(GroupState state, Set<Long> last, ClockReading now) {
        for (Event event : state.events()) {
            if (event.phase() == Phase.SCHEDULED
                    && last.contains(event.noticePeriod().commit())) {
                Duration delay = Duration.between(event.noticePeriod().at(), now.wall());
                if (delay.compareTo(LATE) > 0) {
                    ask(new Command.Delayed(state.group(), Set.of(event.id()), delay));
                }
            }
        }
    }

    /** What is committed. Any thread. */
    @Override
    public PublishedState view() {
        return view;
    }

    @Override
    public Rules rules() {
        return rules;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long commit() {
        return seq;
    }

    /** Up to which commit the view holds all. */
    public Store.Head head() {
        return new Store.Head(seq, epoch);
    }

    /** How many commands wait. Any thread. */
    @Override
    public int queued() {
        return queue.size();
    }

    /** Why the store does not take writes at present. Any thread. */
    @Override
    public Optional<StoreException> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** The same, done only once however often it is asked for under the same key. Any thread. */
    @Override
    public CompletableFuture<CommandResult> submit(Command command, Once once) {
        PendingCommand pending = PendingCommand.of(command, once);
        if (closed) {
            pending.refuse(nothingDone(trouble));
        } else if (!queue.offer(pending)) {
            pending.refuse(new RefusedException(Problem.BUSY, QUEUE + " commands already wait; try again in a moment"));
        } else {
            context.wake().run();
            if (closed) {
                // The last turn may have been over before this came in.
                refuseNewcomers();
            }
        }
        return pending.answer();
    }

    @Override
    public Optional<Instant> answered(Once once) {
        return results.time(once);
    }

    /** Works a fleet change out on the caller's thread, so that the writer need not, and asks for it. Any thread. */
    @Override
    public CompletableFuture<CommandResult> change(Function<StateReader, FleetChange> plan, Actor actor, Once once) {
        try {
            return submit(new Command.ChangeFleet(plan.apply(view), plan, actor), once);
        } catch (RefusedException refusal) {
            denied("change fleet", refusal, actor);
            return CompletableFuture.failedFuture(refusal);
        }
    }

    /** Finds the pieces of a rollout on the caller's thread and asks for it. Any thread. */
    @Override
    public CompletableFuture<CommandResult> roll(RolloutSpec spec, Actor actor, Once once) {
        try {
            Instant now = context.clock().now().wall();
            return submit(new Command.StartRollout(spec, rules.prepare(view, spec, now), actor), once);
        } catch (RefusedException refusal) {
            denied("start rollout " + spec.name(), refusal, actor);
            return CompletableFuture.failedFuture(refusal);
        }
    }

    /** Notes that a machine was handed a document: never refused, never waited for; dropped if far too many come. Any thread. */
    @Override
    public void sighted(Command.Sight sighting) {
        if (sightings.offer(sighting)) {
            context.wake().run();
        }
    }

    /** Has it written down that somebody was refused before it came to a command; dropped if far too many come. Any thread. */
    @Override
    public void denied(String asked, RefusedException refusal, Actor actor) {
        if (denials.offer(new Command.Denied(asked, refusal.problem(), refusal.getMessage(), actor))) {
            context.wake().run();
        }
    }

    /** When the next turn is needed even if nobody asks for anything. */
    public Optional<Instant> due() {
        return pause != null
                ? Optional.of(pause)
                : Stream.of(deadlines.next(), rolloutQueue.next())
                        .flatMap(Optional::stream)
                        .min(Instant::compareTo);
    }

    /** Nothing is queued, staged or uncertain. */
    public boolean isIdle() {
        return queue.isEmpty()
                && own.isEmpty()
                && again.isEmpty()
                && deferred.isEmpty()
                && sightings.isEmpty()
                && denials.isEmpty()
                && stagedCommit == null
                && rolloutQueue.isIdle()
                && uncertain == null;
    }

    /** One turn: takes what is queued and what fell due, decides, commits, publishes, answers. Returns how much it did. */
    public int turn(ClockReading now) {
        if (isFenced()) {
            refuseAll();
            return 0;
        }
        if (uncertain != null) {
            return refuseNewcomers() + recover() + tellDoubt();
        }
        if (stagedCommit != null && stagedCommit.isAlone()) {
            return (trouble == null ? 0 : refuseNewcomers()) + stage();
        }
        leap(now);
        if (keepsAnswers == null || now.nanos() - keepsAnswers >= 0) {
            keepsAnswers = null;
            results.forget(now.wall());
        }
        housekeeping.chores(now).forEach(this::ask);
        Batch batch = decide(now);
        int did = batch.size();
        if (batch.isStaged()) {
            stagedCommit = new StagedCommit(commitBuilder, limits, batch, batch.isAlone(), view);
        } else if (!batch.isEmpty()) {
            attempt(batch);
        } else if (uncertain == null) {
            lookForStore();
            if (!missing) {
                housekeeping.mark(now, deadlines.anyNotice(), seq + 1, epoch).ifPresent(this::attempt);
            }
            if (!missing && uncertain == null) {
                housekeeping.sweep(now, seq + 1, epoch).ifPresent(this::attempt);
            }
        }
        if (stagedCommit != null && uncertain == null) {
            did += stage();
        }
        return did;
    }

    /**
     * Service time was set if the wall moved by much more or less than the time that passed. Nothing starts, ends or is forgotten because of
     * that: what is due by the new time waits for the grace, and silence counts from now.
     */
    private void leap(ClockReading now) {
        ClockReading before = latest;
        latest = now;
        if (before == null) {
            return;
        }
        Duration passed = Duration.ofNanos(now.nanos() - before.nanos());
        Duration by = Duration.between(before.wall(), now.wall()).minus(passed);
        if (by.abs().compareTo(LEAP.plus(passed.dividedBy(SLEWED))) > 0) {
            view.since(now.wall());
            keepsAnswers = now.nanos() + IdempotencyCache.KEPT.toNanos();
            deadlines.held(0, now.nanos() + grace.toNanos(), now);
            context.journal().held("service time was set by " + by.truncatedTo(ChronoUnit.SECONDS), grace);
        }
    }

    /**
     * Nothing could be read for a while, though the process ran, or was stopped: nothing starts by time for the grace.
     *
     * @param missed for how long more than was said before
     */
    public void stalled(Duration missed, ClockReading now) {
        deadlines.held(missed.toNanos(), now.nanos() + grace.toNanos(), now);
        context.journal().held("nothing was answered for " + missed.truncatedTo(ChronoUnit.SECONDS), grace);
    }

    /** Refuses what is queued and writes down what is worth keeping. The last call. */
    public void close(ClockReading now) {
        closed = true;
        pause = null;
        housekeeping.last(now).forEach(this::ask);
        while (uncertain == null && !isFenced() && !isIdle() && trouble == null) {
            turn(now);
        }
        if (uncertain == null && trouble == null) {
            housekeeping.mark(now, true, seq + 1, epoch).ifPresent(this::attempt);
        }
        refuseAll();
    }

    /** Another writes now: nobody is left without an answer. The last call. */
    public void fence(String why) {
        closed = true;
        if (!isFenced()) {
            troubled(new StoreException(StoreException.Kind.FENCED, why));
        }
        refuseAll();
    }

    /**
     * The same from any thread, also while a commit is under way and nobody knows when it ends: whoever waits is answered at once. What
     * was not begun was not done; of what is being committed nobody can tell. The one that owns the thread calls {@link #fence} later.
     */
    public void release(String why) {
        closed = true;
        trouble = new StoreException(StoreException.Kind.FENCED, why);
        refuseNewcomers();
        PendingCommit doubtful = attempted;
        if (doubtful != null) {
            doubtful.abandoned(notKnown());
        }
    }

    /** Whether another writes now. Any thread. */
    public boolean isFenced() {
        StoreException known = trouble;
        return known != null && known.kind() == StoreException.Kind.FENCED;
    }

    private CompletableFuture<CommandResult> ask(Command command) {
        PendingCommand pending = PendingCommand.of(command, null);
        own.add(pending);
        return pending.answer();
    }

    private Batch decide(ClockReading now) {
        view.noticeOver(
                id -> view.groupOf(id).filter(g -> deadlines.isOver(id, g, now)).isPresent());
        view.readable(id -> view.groupOf(id).flatMap(g -> deadlines.readable(id, g, now)));
        Batch batch = new Batch(now);
        while (batch.hasRoom()) {
            PendingCommand next = next(batch);
            if (next == null) {
                break;
            }
            batch.take(next);
        }
        return batch;
    }

    /**
     * What the engine itself has to say, and what did not fit into the last commit, comes first: that an event could be read late must be known before its deadline is
     * looked at. Then what fell due, so that nothing anybody asks can hold up a deadline.
     */
    private PendingCommand next(Batch batch) {
        if (batch.rollsTaken > 0) {
            // What was looked at must not change in the same commit, or nobody would look again.
            return roll(batch);
        }
        boolean pauses = pauses();
        if (!pauses && !again.isEmpty()) {
            return again.poll();
        }
        if (!own.isEmpty()) {
            return own.poll();
        }
        Optional<GroupId> due = pauses ? Optional.empty() : deadlines.take(batch.now);
        if (due.isPresent()) {
            return batch.due(due.get());
        }
        if (stagedCommit == null && !deferred.isEmpty()) {
            return deferred.poll();
        }
        PendingCommand asked = queue.poll();
        if (asked != null) {
            return asked;
        }
        if (pauses) {
            return null;
        }
        Command.Sight sighting = sightings.poll();
        if (sighting != null) {
            return PendingCommand.of(sighting, null);
        }
        Command.Denied denied = denials.poll();
        if (denied != null) {
            return PendingCommand.of(denied, null);
        }
        return roll(batch);
    }

    private boolean pauses() {
        if (pause != null && context.elapsedNanos().getAsLong() - pauseEnds >= 0) {
            pause = null;
        }
        return pause != null;
    }

    private PendingCommand roll(Batch batch) {
        return batch.rollsTaken++ < ROLLS_PER_BATCH
                ? rolloutQueue
                        .take(batch.now.wall())
                        .map(roll -> PendingCommand.of(roll, null))
                        .orElse(null)
                : null;
    }

    private void attempt(PendingCommit pendingCommit) {
        long before = context.elapsedNanos().getAsLong();
        try {
            if (pendingCommit.commit() != null) {
                attempted = pendingCommit;
                context.store().commit(pendingCommit.commit());
                seq = pendingCommit.commit().seq();
                settled();
            }
        } catch (StoreException problem) {
            failed(pendingCommit, problem);
            return;
        } finally {
            attempted = uncertain;
        }
        pendingCommit.committed(context.elapsedNanos().getAsLong() - before);
    }

    private void failed(PendingCommit pendingCommit, StoreException problem) {
        troubled(problem);
        if (problem.kind() == StoreException.Kind.UNCERTAIN || problem.kind() == StoreException.Kind.UNREADABLE) {
            uncertain = pendingCommit;
            uncertainSince = context.elapsedNanos().getAsLong();
            doubtTold = false;
            nextTry = uncertainSince;
        } else {
            pendingCommit.rejected(problem);
        }
    }

    private void troubled(StoreException problem) {
        trouble = problem;
        // What changed a policy is durable, so nobody is kept waiting for a store that is down.
        lookedAt.forEach(look -> look.complete(CommandResult.NOTHING));
        lookedAt.clear();
        nextTry = context.elapsedNanos().getAsLong() + PAUSE_BETWEEN_TRIES;
        context.journal().troubled(problem);
    }

    private void settled() {
        pause = null;
        if (trouble != null) {
            trouble = null;
            context.journal().recovered();
        }
    }

    /** Reads what became of an uncertain commit, and only then goes on. */
    private int recover() {
        long now = context.elapsedNanos().getAsLong();
        if (now - nextTry < 0) {
            return 0;
        }
        PendingCommit pendingCommit = uncertain;
        try {
            Store.Head head = context.store().recover();
            uncertain = null;
            attempted = null;
            if (head.epoch() != epoch) {
                troubled(new StoreException(StoreException.Kind.FENCED, "another writer has taken the store over"));
                pendingCommit.abandoned(notKnown());
            } else if (head.seq() == pendingCommit.commit().seq()) {
                seq = head.seq();
                settled();
                pendingCommit.committed(context.elapsedNanos().getAsLong() - now);
            } else {
                StoreException problem = trouble;
                settled();
                pendingCommit.rejected(problem);
            }
            return 1;
        } catch (StoreException problem) {
            troubled(problem);
            return 0;
        }
    }

    /** Whoever waits is not kept waiting for as long as the store stays away. What becomes of the commit is found out all the same. */
    private int tellDoubt() {
        if (uncertain == null || doubtTold || context.elapsedNanos().getAsLong() - uncertainSince < LONGEST_DOUBT) {
            return 0;
        }
        doubtTold = true;
        uncertain.abandoned(notKnown());
        return 1;
    }

    /** A store that was deleted is noticed also while nobody writes. */
    private void lookForStore() {
        long now = context.elapsedNanos().getAsLong();
        if (now - nextLook < 0) {
            return;
        }
        nextLook = now + PAUSE_BETWEEN_TRIES;
        try {
            context.store().check();
            if (missing) {
                missing = false;
                settled();
            }
        } catch (StoreException gone) {
            if (!missing || trouble == null) {
                troubled(gone);
            }
            missing = true;
        }
    }

    private int refuseNewcomers() {
        RefusedException refusal = nothingDone(trouble);
        int refused = 0;
        for (PendingCommand pending = queue.poll(); pending != null; pending = queue.poll()) {
            pending.refuse(refusal);
            refused++;
        }
        return refused;
    }

    /** Nobody is left without an answer. */
    private void refuseAll() {
        refuseNewcomers();
        RefusedException refusal = nothingDone(trouble);
        deferred.forEach(pending -> pending.refuse(refusal));
        own.forEach(pending -> pending.refuse(refusal));
        again.forEach(pending -> pending.refuse(refusal));
        // Before what is staged: its last slice may be the one in doubt.
        if (uncertain != null) {
            uncertain.abandoned(notKnown());
        }
        if (stagedCommit != null) {
            stagedCommit.abandon(refusal);
        }
    }

    private static RefusedException notKnown() {
        return new RefusedException(
                Problem.NOT_KNOWN, "it is not known whether this was done; look before you ask again");
    }

    /** @param problem what the store complains of; null if it does not, and the service is ending */
    private static RefusedException nothingDone(StoreException problem) {
        if (problem == null) {
            return new RefusedException(Problem.NOT_READY, "the service is ending; try again in a moment");
        }
        return problem.kind() == StoreException.Kind.FENCED
                ? new RefusedException(
                        Problem.NOT_WRITER, "nothing was changed, try again in a moment: " + problem.getMessage())
                : new RefusedException(
                        Problem.STORE_DOWN,
                        "nothing was changed, the store does not take writes: " + problem.getMessage());
    }

    /** One slice of what is too large for one commit. */
    private int stage() {
        if (context.elapsedNanos().getAsLong() - nextTry < 0) {
            return 0;
        }
        try {
            stagedCommit.refuseIfHindered();
            attempt(stagedCommit.next(context.store(), seq + 1, epoch));
        } catch (StoreException problem) {
            troubled(problem);
        }
        if (stagedCommit.isOver()) {
            stagedCommit = null;
        }
        return trouble == null ? 1 : 0;
    }

    private void publish(ChangeSet draft, ClockReading at) {
        if (!draft.fleet().isEmpty()) {
            view.publish(draft.fleet());
        }
        List<Rollout> resumed = draft.changedRollouts().stream()
                .filter(r -> r.status() == Rollout.Status.RUNNING
                        && view.rollout(r.name()).map(Rollout::status).orElse(r.status()) != r.status())
                .toList();
        draft.waits().forEach(rolloutQueue::waits);
        draft.changedRollouts().forEach(rolloutQueue::published);
        draft.changedPieces()
                .forEach(chunk -> rolloutQueue.published(view.units(chunk.rollout(), chunk.chunk()), chunk));
        draft.removedRollouts().forEach(this::removeRollout);
        draft.changedRollouts().forEach(view::publish);
        draft.changedPieces().forEach(view::publish);
        draft.opened().forEach(view::publish);
        draft.closed().forEach(view::close);
        draft.conditions().forEach(view::publish);
        draft.changedTenants().forEach(view::publish);
        draft.tokens().forEach(view::publish);
        draft.removedTokens().forEach(view::removeToken);
        view.publish(draft.post());
        publishPolicies(draft, at);
        for (GroupState state : draft.states()) {
            view.publish(state);
        }
        draft.states().forEach(state -> deadlines.published(state, at));
        roll(draft);
        resumed.forEach(rollout -> releaseHeld(rollout, at));
        lookAgain(draft.fleet(), at);
        lookAgain(draft.entries());
    }

    private void removeRollout(Rollout rollout) {
        view.removeRollout(rollout.name());
        for (int chunk = 0; chunk < RolloutUnitChunk.chunks(rollout.units()); chunk++) {
            view.removePieces(RolloutUnitChunk.key(rollout.name(), chunk));
        }
    }

    /** What a rollout waited for may have happened. */
    private void roll(ChangeSet draft) {
        draft.entries().stream()
                .filter(e -> e.group() != null && MOVES.contains(e.what()))
                .forEach(e -> rolloutQueue.moved(e.group()));
        draft.conditions().forEach(c -> view.machine(c.machine()).ifPresent(m -> rolloutQueue.moved(m.group())));
        if (!draft.fleet().isEmpty()
                || !draft.setPolicies().isEmpty()
                || !draft.removedPolicies().isEmpty()) {
            rolloutQueue.everythingMoved();
        }
    }

    /** A machine that held the events of its group may have gone. */
    private void lookAgain(Collection<GroupChange> changed, ClockReading at) {
        for (GroupChange change : changed) {
            GroupState state = view.state(change.id());
            if (!state.events().isEmpty()) {
                deadlines.published(state, at);
                ask(new Command.Due(change.id()));
            }
        }
        if (!changed.isEmpty()) {
            Map<String, GroupId> units = scheduledUnits();
            Set<GroupId> hit = new LinkedHashSet<>();
            for (GroupChange change : units.isEmpty() ? List.<GroupChange>of() : changed) {
                change.machines()
                        .forEach(m -> Optional.ofNullable(units.get(m.host())).ifPresent(hit::add));
            }
            hit.forEach(group -> ask(new Command.Due(group)));
        }
    }

    /** A machine is free again: the scheduled work on its host may have waited to announce it. */
    private void lookAgain(List<HistoryEntry> entries) {
        Set<String> hosts = new HashSet<>();
        for (HistoryEntry entry : entries) {
            if (entry.group() == null || !MOVES.contains(entry.what())) {
                continue;
            }
            // Work of a rollout frees machines for other work of it only if they changed hosts meanwhile.
            entry.machines().stream()
                    .map(name -> view.machine(new MachineId(entry.group().tenant(), name)))
                    .flatMap(Optional::stream)
                    .filter(m -> entry.rollout() == null || m.placement() > 0)
                    .forEach(m -> hosts.add(m.host()));
        }
        if (!hosts.isEmpty()) {
            Map<String, GroupId> units = scheduledUnits();
            units.keySet().retainAll(hosts);
            Set.copyOf(units.values()).forEach(group -> ask(new Command.Due(group)));
        }
    }

    /** The hosts on which work is scheduled, each with a group by which its unit is found. */
    private Map<String, GroupId> scheduledUnits() {
        Map<String, GroupId> units = new HashMap<>();
        for (Rollout rollout : view.rollouts()) {
            if (rollout.open() == 0 || rollout.spec().target().kind() != RolloutTarget.Kind.HOSTS) {
                continue;
            }
            for (ActiveUnit active : view.open(rollout.name())) {
                int number = active.tie().unit();
                String host = view.units(rollout.name(), number / RolloutUnitChunk.SIZE)
                        .unit(number)
                        .name();
                units.put(host, active.parts().get(0).group());
            }
        }
        return units;
    }

    /** Events that a pause held are looked at again. */
    private void releaseHeld(Rollout rollout, ClockReading at) {
        view.open(rollout.name()).forEach(piece -> {
            piece.parts().forEach(part -> deadlines.published(view.state(part.group()), at));
            // Machines that came meanwhile were not announced.
            ask(new Command.Due(piece.parts().get(0).group()));
        });
    }

    /**
     * Events that policies may have held are looked at again, each group on its own: there may be many. Whoever changed a policy is
     * answered when that is done.
     */
    private void publishPolicies(ChangeSet draft, ClockReading at) {
        Set<Scope> changed = new HashSet<>(draft.removedPolicies());
        draft.setPolicies().forEach(p -> changed.add(p.scope()));
        if (changed.isEmpty()) {
            return;
        }
        draft.setPolicies().forEach(view::publish);
        draft.removedPolicies().forEach(view::removePolicy);
        lookedAt.removeIf(CompletableFuture::isDone);
        for (GroupView group : view.allGroups()) {
            if (!group.state().events().isEmpty() && changed.stream().anyMatch(s -> s.covers(group.id()))) {
                deadlines.published(group.state(), at);
                lookedAt.add(ask(new Command.Due(group.id())));
            }
        }
    }

    private DriverTask task(GroupId group, Event event) {
        List<Machine> machines = new ArrayList<>();
        Optional<ActiveUnit> piece = Optional.ofNullable(event.work().unit()).flatMap(view::open);
        List<Part> parts = piece.map(ActiveUnit::parts).orElseGet(() -> List.of(new Part(group, event.id())));
        for (Part part : parts) {
            view.state(part.group()).event(part.event()).stream()
                    .flatMap(e -> e.resources().stream())
                    .filter(name -> view.isThere(part.group(), name))
                    .map(name -> view.machine(new MachineId(part.group().tenant(), name)))
                    .flatMap(Optional::stream)
                    .forEach(machines::add);
        }
        return new DriverTask(event, machines);
    }

    /** The commands of one turn, decided one after the other, each seeing what the earlier ones did. */
    private final class Batch implements PendingCommit, StagedCommit.Whole {
        /** A command that was decided, one way or the other. */
        private record Decided(
                PendingCommand pending, CommandResult answer, RefusedException refusal, Optional<AuditEntry> refused) {
            Decided(PendingCommand pending, CommandResult answer) {
                this(pending, answer, null, Optional.empty());
            }
        }

        private static final int BYTES_PER_COMMAND = 1024;

        private final ClockReading now;
        private final ChangeSet draft;
        private final List<Decided> decided = new ArrayList<>();
        private final List<IdempotencyRecord> done = new ArrayList<>();
        private final List<AuditEntry> deeds = new ArrayList<>();
        private final List<GroupId> due = new ArrayList<>();
        private LogPage page;
        private AuditWriter.Link link;
        private Commit commit;
        private boolean full;
        private boolean staged;
        private int rollsTaken;
        private int operations;
        private int bytes;

        Batch(ClockReading now) {
            this.now = now;
            this.draft = new ChangeSet(view, seq + 1, epoch);
        }

        boolean isEmpty() {
            return decided.isEmpty() && due.isEmpty();
        }

        int size() {
            return decided.size();
        }

        /** Its one command is too large for one commit. */
        boolean isStaged() {
            return staged;
        }

        /** Whether nothing else may be decided while it is staged. */
        boolean isAlone() {
            return !(decided.get(0).pending.command() instanceof Command.ChangeFleet);
        }

        boolean hasRoom() {
            return !full && decided.size() < BATCH;
        }

        PendingCommand due(GroupId group) {
            due.add(group);
            return PendingCommand.of(new Command.Due(group), null);
        }

        void take(PendingCommand pending) {
            try {
                Optional<IdempotencyRecord> before = repeated(pending);
                if (before.isPresent()) {
                    decided.add(new Decided(pending, before.get().answer().again()));
                    return;
                }
                ChangeSet upper = draft.over();
                CommandResult result = rules.decide(upper, pending.command(), now.wall());
                Optional<AuditEntry> deed = auditWriter.done(pending.command());
                Place place = place(pending, upper, deed.map(AuditEntry::weight).orElse(0));
                if (place != Place.HERE && place != Place.STAGED) {
                    return;
                }
                draft.absorb(upper);
                decided.add(new Decided(pending, result));
                deed.ifPresent(deeds::add);
                if (pending.once() != null) {
                    Instant ages = pending.command() instanceof Command.MoveClock move ? move.target() : null;
                    done.add(new IdempotencyRecord(
                            pending.once().key(), pending.once().fingerprint(), result, ages));
                }
            } catch (RefusedException refusal) {
                refuse(pending, refusal);
            } catch (RuntimeException bug) {
                context.journal().failed(pending.command(), bug);
                if (pending.command() instanceof Command.Roll roll) {
                    rolloutQueue.putOff(roll, now.wall().plus(TRY_ROLL_AGAIN));
                }
                pending.answer().completeExceptionally(bug);
            }
        }

        private void refuse(PendingCommand pending, RefusedException refusal) {
            Optional<AuditEntry> deed = unwritten.containsKey(pending)
                    ? unwritten.remove(pending)
                    : auditWriter.refused(pending.command(), refusal, now.wall());
            if (deed.isPresent()
                    && !decided.isEmpty()
                    && !fits(new Store.Limits(0, deed.get().weight()))) {
                unwritten.put(pending, deed);
                own.addLast(pending);
                full = true;
                return;
            }
            decided.add(new Decided(pending, null, refusal, deed));
            deed.ifPresent(written -> {
                deeds.add(written);
                bytes += written.weight();
            });
        }

        /** Where a command that stands is carried out. */
        private enum Place {
            HERE,
            /** In the next commit, of which it is the first. */
            NEXT,
            /** After the large change that is under way. */
            LATER,
            /** Here, and slice by slice. */
            STAGED
        }

        private Place place(PendingCommand pending, ChangeSet upper, int deed) {
            Store.Limits changes = commitBuilder.weigh(upper);
            Store.Limits weight = new Store.Limits(
                    changes.operations(), (int) Math.min((long) changes.bytes() + deed, Integer.MAX_VALUE));
            boolean large = isLarge(pending.command(), weight);
            Place place;
            if (stagedCommit != null && (large || !upper.fleet().isEmpty())) {
                place = Place.LATER;
            } else if (large) {
                place = decided.isEmpty() ? Place.STAGED : Place.NEXT;
            } else {
                place = fits(weight) ? Place.HERE : Place.NEXT;
            }
            switch (place) {
                case HERE -> {
                    operations += weight.operations();
                    bytes += weight.bytes();
                }
                case NEXT -> own.addLast(pending);
                case LATER -> deferred.add(pending);
                case STAGED -> staged = true;
            }
            full = full || place == Place.NEXT || place == Place.STAGED;
            return place;
        }

        /** A fleet is staged early: others can pass meanwhile. */
        private boolean isLarge(Command command, Store.Limits weight) {
            int part = command instanceof Command.ChangeFleet ? 4 : 2;
            return weight.operations() >= limits.operations() / part || weight.bytes() >= limits.bytes() / part;
        }

        private boolean fits(Store.Limits more) {
            // Two operations are the pages of log and audit, whose frames and answers take some bytes of their own.
            return operations + more.operations() + 2 <= limits.operations()
                    && (long) bytes + more.bytes() + BYTES_PER_COMMAND * (decided.size() + 1L) < limits.bytes();
        }

        private Optional<IdempotencyRecord> repeated(PendingCommand pending) {
            if (pending.once() == null) {
                return Optional.empty();
            }
            Optional<IdempotencyRecord> here = done.stream()
                    .filter(d -> d.key().equals(pending.once().key()))
                    .findFirst();
            return here.isPresent()
                    ? here.map(d -> IdempotencyCache.check(d, pending.once()))
                    : results.find(pending.once());
        }

        @Override
        public ChangeSet draft() {
            return draft;
        }

        @Override
        public LogPage page(long commit) {
            page = new LogPage(commit, now.wall(), draft.entries(), done);
            return page;
        }

        @Override
        public AuditWriter.Link link(long commit) {
            link = deeds.isEmpty() ? null : auditWriter.link(commit, now.wall(), deeds);
            return link;
        }

        /** Null if nothing changed: then there is nothing to wait for either. */
        @Override
        public Commit commit() {
            if (commit == null) {
                boolean silent = draft.entries().isEmpty() && done.isEmpty();
                Commit spelt = commitBuilder.commit(draft, silent ? null : page(draft.commit()));
                if (link(draft.commit()) != null) {
                    spelt = spelt.with(link.key(), link.value());
                }
                commit = spelt.puts().isEmpty() && spelt.deletes().isEmpty() ? null : spelt;
            }
            return commit;
        }

        @Override
        public void committed(long nanos) {
            ClockReading readable = context.clock().now();
            if (link != null) {
                view.publish(link.head());
            }
            publish(draft, readable);
            due.stream()
                    .filter(g ->
                            draft.states().stream().noneMatch(s -> s.group().equals(g)))
                    .forEach(g -> deadlines.again(view.state(g), now));
            done.forEach(d -> results.remember(d, now.wall()));
            decided.forEach(this::tell);
            draft.starts().forEach(id -> draft.groupOf(id)
                    .ifPresent(g -> context.impact().start(task(g, started(g, id)))));
            delayLate(readable);
            if (page != null) {
                context.journal().committed(page, decided.size(), nanos);
            }
        }

        private Event started(GroupId group, EventId id) {
            return view.state(group).event(id).orElseThrow();
        }

        private void tell(Decided command) {
            if (command.pending.command() instanceof Command.Roll roll) {
                if (command.refusal == null) {
                    rolloutQueue.rolled(roll, command.answer.changes());
                } else {
                    rolloutQueue.putOff(roll, now.wall().plus(TRY_ROLL_AGAIN));
                }
            }
            boolean policy = command.pending.command() instanceof Command.SetPolicy
                    || command.pending.command() instanceof Command.RemovePolicy;
            if (command.refusal == null && policy && !lookedAt.isEmpty()) {
                CompletableFuture.allOf(lookedAt.toArray(CompletableFuture[]::new))
                        .whenComplete((all, failed) -> command.pending.answer().complete(command.answer));
            } else if (command.refusal == null) {
                command.pending.answer().complete(command.answer);
            } else {
                command.pending.refuse(command.refusal);
            }
        }

        /** Notice counts from the moment an event can be read. What was only moved could be read before: once is enough. */
        private void delayLate(ClockReading readable) {
            Duration delay = Duration.ofNanos(readable.nanos() - now.nanos());
            if (delay.compareTo(LATE) <= 0) {
                return;
            }
            for (GroupState state : draft.states()) {
                Set<EventId> late = new HashSet<>();
                state.events().stream()
                        .filter(e -> e.phase() == Phase.SCHEDULED
                                && e.noticePeriod().commit() == draft.commit()
                                && e.noticePeriod().at().equals(now.wall()))
                        .forEach(e -> late.add(e.id()));
                if (!late.isEmpty()) {
                    ask(new Command.Delayed(state.group(), late, delay));
                }
            }
        }

        @Override
        public void abandoned(RefusedException refusal) {
            decided.forEach(command -> command.pending.refuse(refusal));
        }

        @Override
        public void refused(RefusedException refusal) {
            abandoned(refusal);
            if (refusal.problem() != Problem.CONFLICT) {
                return; // Nothing was decided about it.
            }
            decided.stream()
                    .map(command -> command.pending.command())
                    .filter(command -> command.actor().kind() == Actor.Kind.PERSON)
                    .forEach(command -> denied(CommandAuditText.of(command), refusal, command.actor()));
        }

        @Override
        public void rejected(StoreException problem) {
            boolean unasked = !due.isEmpty();
            for (Decided command : decided) {
                if (command.pending.command() instanceof Command.Roll roll) {
                    unasked = true;
                    rolloutQueue.again(roll);
                } else if (isOwn(command.pending.command())) {
                    if (command.pending.command() instanceof Command.Denied) {
                        unwritten.put(command.pending, command.refused);
                    }
                    unasked = true;
                    again.add(command.pending);
                } else {
                    command.pending.refuse(nothingDone(problem));
                }
            }
            due.forEach(g -> deadlines.again(view.state(g), now));
            if (unasked) {
                pause = context.clock().now().wall().plusNanos(PAUSE_BETWEEN_TRIES);
                pauseEnds = context.elapsedNanos().getAsLong() + PAUSE_BETWEEN_TRIES;
            }
        }

        /** Nobody would ask for it again. */
        private boolean isOwn(Command command) {
            return command instanceof Command.Delayed
                    || command instanceof Command.Denied
                    || command instanceof Command.Sight
                    || command instanceof Command.Due settle && !due.contains(settle.group());
        }
    }
}
