package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.RolloutWorkQueue;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.core.rules.StateReader;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides and commits all commands, as the only writer of the store.
 *
 * <p><b>A turn.</b> The writer's thread calls {@link #turn}. A turn takes deadlines that are due and queued commands ({@link
 * CommandQueues}), has the {@link Rules} decide each of them on a change set over the {@link PublishedState}, and writes the
 * accepted ones as one commit ({@link CommitBatch}). Only when the store has made it durable is the change set published ({@link
 * StatePublisher}), are callers answered and drivers started ({@link BatchCompletion}). Commands that arrive during a commit are
 * queued and go into the next one; that is all there is to group commit.
 *
 * <p><b>Published means committed.</b> The published state contains exactly what is committed, so a rejected commit needs no
 * undoing: the change set is dropped and its callers are refused. After an uncertain commit callers wait until the store has been
 * reopened, whose contents then decide ({@link Committer}). Meanwhile new commands are refused at once, and readers keep reading
 * the published state.
 *
 * <p><b>Due work is never lost.</b> {@link Deadlines} are derived from the published state, so a turn that could not be committed
 * leaves them where they were. Drivers repeat their reports until they are accepted. Commands that no caller would repeat are
 * queued again after a rejected commit.
 *
 * <p>For the writer's thread, except where a method says otherwise.
 */
public final class Engine implements CommandGateway {
    /** An idempotency key: a repeated request with the same key gets the same answer and is not carried out again. */
    public record Once(String key, String fingerprint) {}

    /**
     * @param resumeGrace how long the service must have been readable before anything starts by time
     * @param logKept how long history is kept
     */
    public record Settings(ServiceTerms terms, Duration resumeGrace, Duration logKept) {}

    private final EngineContext context;
    private final PublishedState view;
    private final Rules rules;
    private final IdempotencyCache results;
    private final Deadlines deadlines;
    private final RolloutWorkQueue rollouts = new RolloutWorkQueue();
    private final CommandQueues queues;
    private final CommandPreparation preparation;
    private final Committer committer;
    private final CommitBatch.Tools tools;
    private final Housekeeping housekeeping;
    private final ServiceTimeWatch timeWatch = new ServiceTimeWatch();
    private final DowntimeTracker downtime = new DowntimeTracker();
    private final Duration grace;
    private MultipartCommit multipartCommit;
    private volatile boolean closed;

    private Engine(Settings settings, Supplier<EventId> ids, EngineContext context, OpenedStore opened) {
        this.context = context;
        this.view = opened.view();
        this.rules = new Rules(settings.terms(), ids, context.driver()::expected);
        this.results = opened.results();
        this.deadlines = new Deadlines(rules, view);
        this.queues = new CommandQueues(context, deadlines, rollouts);
        this.preparation = new CommandPreparation(view, rules, context.clock(), queues);
        GroupRechecks rechecks = new GroupRechecks(view, deadlines, queues);
        this.committer = new Committer(context, opened.head(), queues::resume, rechecks::releasePolicies);
        AuditWriter auditWriter = new AuditWriter(context.format(), view);
        this.tools = new CommitBatch.Tools(
                rules,
                new CommitBuilder(context.format(), view),
                context.store().limits(),
                results,
                auditWriter,
                queues,
                new BatchCompletion(context, view, deadlines, rollouts, queues, rechecks, results, auditWriter),
                context.listener());
        this.housekeeping = new Housekeeping(context, view, settings.logKept(), downtime);
        this.grace = settings.resumeGrace();
    }

    /**
     * Takes the store, reads it, and is ready for its first turn.
     *
     * @param ids where new events get their ids from
     * @throws StoreException if the store cannot be taken or read; nothing is half open then
     */
    public static Engine open(Settings settings, Supplier<EventId> ids, EngineContext context) throws StoreException {
        OpenedStore opened = OpenedStore.read(context);
        return new Engine(settings, ids, context, opened).resume(opened.last());
    }

    /**
     * The same over a state that was kept current until now, called on the thread that did so. It fences the previous writer first,
     * so that no commit follows the ones that the state then contains.
     *
     * @param patience how long the feed may take to deliver the last commits
     */
    public static Engine over(
            Settings settings, Supplier<EventId> ids, EngineContext context, Replica replica, Duration patience)
            throws StoreException {
        OpenedStore opened = OpenedStore.over(context, replica, patience);
        Engine engine = new Engine(settings, ids, context, opened).resume(opened.last());
        // Before anything changes a document.
        replica.lostIncarnations().forEach(engine.queues::askFirst);
        return engine;
    }

    /** @param last the commits whose announcements may never have been readable */
    private Engine resume(Set<Long> last) throws StoreException {
        ClockReading now = context.clock().now();
        deadlines.notBefore(now.nanos() + grace.toNanos());
        StoredTime stored = StoredTime.read(context.store(), context.format());
        Instant missed = context.clock().unreadableSince(stored).orElse(null);
        downtime.resume(stored, missed, now, commit());
        new RestartRecovery(context, view, deadlines, rollouts, queues).resume(now, downtime, last);
        tellNotice(now);
        return this;
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
        return committer.head().epoch();
    }

    @Override
    public long commit() {
        return committer.head().seq();
    }

    /** The last commit in the published state. */
    public Store.Head head() {
        return committer.head();
    }

    /** How many commands wait. Any thread. */
    @Override
    public int queued() {
        return queues.waiting();
    }

    @Override
    public boolean storeIsMissing() {
        return committer.isStoreMissing();
    }

    /** Why the store does not accept writes at present. Any thread. */
    @Override
    public Optional<StoreException> trouble() {
        return committer.trouble();
    }

    @Override
    public CompletableFuture<CommandResult> submit(Command command, Once once) {
        PendingCommand pending = PendingCommand.of(command, once);
        if (closed) {
            pending.refuse(nothingDone());
        } else if (!queues.offer(pending)) {
            pending.refuse(new RefusedException(
                    Problem.BUSY, CommandQueues.CAPACITY + " commands already wait; try again in a moment"));
        } else if (closed) {
            // The last turn may have been over before this came in.
            queues.refuseCallers(nothingDone());
        }
        return pending.answer();
    }

    @Override
    public Optional<Instant> answered(Once once) {
        return results.time(once);
    }

    /** Computes a fleet change on the caller's thread, and submits it. Any thread. */
    @Override
    public CompletableFuture<CommandResult> change(Function<StateReader, FleetChange> plan, Actor actor, Once once) {
        return prepared(() -> preparation.change(plan, actor, once != null), once);
    }

    /** Finds the units of a rollout on the caller's thread, and submits it. Any thread. */
    @Override
    public CompletableFuture<CommandResult> roll(RolloutSpec spec, Actor actor, Once once) {
        return prepared(() -> preparation.roll(spec, actor, once != null), once);
    }

    private CompletableFuture<CommandResult> prepared(Supplier<Command> command, Once once) {
        try {
            return submit(command.get(), once);
        } catch (RefusedException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    /** Records that a machine received a document. Fire-and-forget; dropped if there are far too many. Any thread. */
    @Override
    public void sighted(Command.Sight sighting) {
        queues.sighted(sighting);
    }

    /** Audits a refusal that happened before there was a command; dropped if there are far too many. Any thread. */
    @Override
    public void denied(String asked, RefusedException refusal, Actor actor) {
        queues.denied(asked, refusal, actor);
    }

    /** When the next turn is needed even without new commands. */
    public Optional<Instant> due() {
        return queues.due();
    }

    /** Nothing is queued, staged or uncertain. */
    public boolean isIdle() {
        return queues.isIdle() && multipartCommit == null && !committer.isUncertain();
    }

    /** One turn: takes queued and due commands, decides, commits, publishes and answers them. Returns how much it did. */
    public int turn(ClockReading now) {
        if (isFenced()) {
            refuseAll();
            return 0;
        }
        if (committer.isUncertain()) {
            return queues.refuseCallers(nothingDone()) + committer.resolve();
        }
        if (multipartCommit != null && multipartCommit.isAlone()) {
            return (trouble().isEmpty() ? 0 : queues.refuseCallers(nothingDone())) + stage();
        }
        timeWatch.leap(now).ifPresent(by -> leap(by, now));
        if (timeWatch.mayForgetAnswers(now)) {
            results.forget(now.wall());
        }
        housekeeping.chores(now).forEach(queues::ask);
        CommitBatch batch = decide(now);
        int did = batch.size();
        if (batch.isStaged()) {
            multipartCommit = new MultipartCommit(tools.commitBuilder(), tools.limits(), batch, batch.isAlone(), view);
        } else if (!batch.isEmpty()) {
            committer.attempt(batch);
            if (trouble().isEmpty()) {
                // Also if there is always something to do.
                mark(now);
            }
        } else {
            keepHouse(now);
        }
        if (multipartCommit != null && !committer.isUncertain()) {
            did += stage();
        }
        return did;
    }

    private CommitBatch decide(ClockReading now) {
        tellNotice(now);
        ChangeSet draft = new ChangeSet(view, committer.next(), committer.head().epoch());
        return new CommitBatch(tools, now, draft, multipartCommit != null).fill();
    }

    private void tellNotice(ClockReading now) {
        view.noticeOver(
                id -> view.groupOf(id).filter(g -> deadlines.isOver(id, g, now)).isPresent());
        view.noticeEnd(id -> view.groupOf(id).map(g -> deadlines.end(id, g, now)));
        view.readable(id -> view.groupOf(id).flatMap(g -> deadlines.readable(id, g, now)));
    }

    /** Periodic work, done while no command waits. */
    private void keepHouse(ClockReading now) {
        committer.checkStore();
        if (!committer.isStoreMissing()) {
            mark(now);
        }
        if (!committer.isStoreMissing() && !committer.isUncertain()) {
            housekeeping.sweep(now, committer.next(), epoch()).ifPresent(committer::attempt);
        }
    }

    private void mark(ClockReading now) {
        housekeeping
                .mark(now, deadlines.anyNotice(), deadlines::oldest, committer.next(), epoch())
                .ifPresent(committer::attempt);
    }

    /** Service time was set: what is due by the new time waits for the grace period, and silence counts from now. */
    private void leap(Duration by, ClockReading now) {
        view.since(now.wall());
        housekeeping.markSoon();
        deadlines.held(0, now.nanos() + grace.toNanos(), now);
        context.listener().held("service time was set by " + by, grace);
    }

    /**
     * Documents could not be read for a while, because the process was busy or suspended: nothing starts by time during the grace period.
     *
     * @param missed how long, in addition to what was reported before
     */
    public void stalled(Duration missed, ClockReading now) {
        downtime.stalled(missed);
        housekeeping.markSoon();
        deadlines.held(missed.toNanos(), now.nanos() + grace.toNanos(), now);
        context.listener().held("nothing was answered for " + missed.truncatedTo(ChronoUnit.SECONDS), grace);
    }

    /** One slice of a change that is too large for one commit. */
    private int stage() {
        if (!committer.mayTry()) {
            return 0;
        }
        try {
            multipartCommit.refuseIfHindered();
            List<Command> first = multipartCommit.first();
            if (!first.isEmpty()) {
                first.forEach(queues::askFirst);
                return 1;
            }
            committer.attempt(multipartCommit.next(context.store(), committer.next(), epoch()));
        } catch (StoreException problem) {
            committer.troubled(problem);
        }
        if (multipartCommit.isOver()) {
            multipartCommit = null;
        }
        return trouble().isEmpty() ? 1 : 0;
    }

    /** Refuses queued commands and saves what is worth keeping. The last call. */
    public void close(ClockReading now) {
        closed = true;
        queues.resume();
        housekeeping.last(now).forEach(queues::ask);
        while (!committer.isUncertain() && !isFenced() && !isIdle() && trouble().isEmpty()) {
            turn(now);
        }
        if (!committer.isUncertain() && trouble().isEmpty()) {
            housekeeping.markSoon();
            mark(now);
        }
        refuseAll();
    }

    /** Another node is the writer now: refuses all waiting callers. The last call. */
    public void fence(String why) {
        closed = true;
        if (!isFenced()) {
            committer.troubled(new StoreException(StoreException.Kind.FENCED, why));
        }
        view.noticeEnd(id -> Optional.empty()); // The new writer knows.
        refuseAll();
    }

    /**
     * The same from any thread, even while a commit hangs: waiting callers are answered at once. Commands that were not begun are
     * refused; for those being committed the outcome is unknown. The writer's thread calls {@link #fence} later.
     */
    public void release(String why) {
        closed = true;
        committer.release(new StoreException(StoreException.Kind.FENCED, why));
        queues.refuseCallers(nothingDone());
        committer.abandonAttempted();
    }

    /** Whether another node is the writer now. Any thread. */
    public boolean isFenced() {
        return committer.isFenced();
    }

    /** Refuses all waiting callers. */
    private void refuseAll() {
        RefusedException refusal = nothingDone();
        queues.refuseAll(refusal);
        // Before what is staged: its last slice may be the one in doubt.
        committer.abandonUncertain();
        if (multipartCommit != null) {
            multipartCommit.abandon(refusal);
        }
    }

    private RefusedException nothingDone() {
        return StoreRefusals.nothingDone(committer.trouble().orElse(null));
    }
}
