package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.RolloutWorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Holds the commands that wait to be decided, in the order in which they will be.
 *
 * <p>The engine's own commands, and those that did not fit into the last commit, come first: a late announcement must be
 * taken into account before the deadline of its event. Then come deadlines, so that no caller can delay one, then callers,
 * then sightings and refusals, and rollouts last. A batch takes only so much of the engine's own work, and less while callers
 * wait: a hundred thousand deadlines may be due at the same moment, and an approval must not wait for all of them.
 *
 * <p>After a rejected commit the engine's own work pauses, so that a full disk does not keep it busy. The next successful
 * commit ends the pause.
 *
 * <p>For the writer's thread, except where a method says otherwise.
 */
final class CommandQueues {
    static final int CAPACITY = 10_000;
    private static final int SIGHTINGS = 100_000;
    private static final int DENIALS = 1000;
    /** How many commands and records of the engine's own a batch holds before the rest is left to the next. */
    private static final int MOST_OWN = 64;
    /** The same while callers come: the next of them waits until the batch is decided and written. */
    private static final int MOST_OWN_BESIDE_CALLERS = 12;

    private static final long CALLERS_COME = Duration.ofSeconds(1).toNanos();
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final EngineContext context;
    private final Deadlines deadlines;
    private final RolloutWorkQueue rollouts;

    private final BlockingQueue<PendingCommand> callers = new ArrayBlockingQueue<>(CAPACITY);
    private final Queue<Command.Sight> sightings = new ArrayBlockingQueue<>(SIGHTINGS);
    private final Queue<Command.Denied> denials = new ArrayBlockingQueue<>(DENIALS);
    private final Deque<PendingCommand> own = new ArrayDeque<>();
    /** Commands of a rejected commit. */
    private final Deque<PendingCommand> again = new ArrayDeque<>();

    private final Deque<PendingCommand> deferred = new ArrayDeque<>();
    /** When a caller was last waiting at the beginning of a batch. */
    private long called;

    private boolean asking;
    private boolean rolling;
    private int sizeBeforeRolling;
    /** How large the batch was before the first look at a group that is due; below zero if there was none. */
    private int sizeBeforeDue;
    /** How many units were handed out to be looked at: that takes time even if nothing changes. */
    private int rolled;
    /** Whether the batch takes nothing more of the engine's own work, because callers wait or there is enough in it. */
    private boolean enough;
    /** In service time; null if there is no pause. */
    private Instant pausedUntil;

    private long pauseEnds;

    CommandQueues(EngineContext context, Deadlines deadlines, RolloutWorkQueue rollouts) {
        this.context = context;
        this.deadlines = deadlines;
        this.rollouts = rollouts;
        this.called = context.elapsedNanos().getAsLong() - CALLERS_COME;
    }

    /** Returns false if there is no room. Any thread. */
    boolean offer(PendingCommand pending) {
        boolean taken = callers.offer(pending);
        if (taken) {
            context.wake().run();
        }
        return taken;
    }

    /** Dropped if there is no room. Any thread. */
    void sighted(Command.Sight sighting) {
        if (sightings.offer(sighting)) {
            context.wake().run();
        }
    }

    /** Dropped if there is no room. Any thread. */
    void denied(String asked, RefusedException refusal, Actor actor) {
        if (denials.offer(new Command.Denied(asked, refusal.problem(), refusal.getMessage(), actor))) {
            context.wake().run();
        }
    }

    /** How many callers wait. Any thread. */
    int waiting() {
        return callers.size();
    }

    /** Adds a command of the engine's own. */
    CompletableFuture<CommandResult> ask(Command command) {
        PendingCommand pending = PendingCommand.of(command, null);
        own.add(pending);
        return pending.answer();
    }

    /** Adds a command of the engine's own before all others. */
    void askFirst(Command command) {
        own.addFirst(PendingCommand.of(command, null));
    }

    /** Makes a command the first of the next commit. */
    void askNext(PendingCommand pending) {
        own.addLast(pending);
    }

    /** Delays a command until no large change is in progress. */
    void defer(PendingCommand pending) {
        deferred.add(pending);
    }

    /** Keeps a command whose commit was rejected until the pause is over. */
    void retry(PendingCommand pending) {
        again.add(pending);
    }

    /** Pauses the engine's own work for a moment. */
    void pause() {
        pausedUntil = context.clock().now().wall().plusNanos(PAUSE);
        pauseEnds = context.elapsedNanos().getAsLong() + PAUSE;
    }

    void resume() {
        pausedUntil = null;
    }

    private boolean pauses() {
        if (pausedUntil != null && context.elapsedNanos().getAsLong() - pauseEnds >= 0) {
            pausedUntil = null;
        }
        return pausedUntil != null;
    }

    /** When the next command is due even without new ones. */
    Optional<Instant> due() {
        return pausedUntil != null
                ? Optional.of(pausedUntil)
                : Stream.of(deadlines.next(), rollouts.next())
                        .flatMap(Optional::stream)
                        .min(Instant::compareTo);
    }

    boolean isIdle() {
        return callers.isEmpty()
                && own.isEmpty()
                && again.isEmpty()
                && deferred.isEmpty()
                && sightings.isEmpty()
                && denials.isEmpty()
                && rollouts.isIdle();
    }

    /** A new batch begins. */
    void beginBatch() {
        if (!callers.isEmpty()) {
            called = context.elapsedNanos().getAsLong();
        }
        asking = false;
        rolling = false;
        rolled = 0;
        sizeBeforeDue = -1;
        enough = false;
    }

    /**
     * The next command of the batch; null if there is none.
     *
     * @param staging whether a change too large for one commit is in progress
     * @param size how many commands and records the batch holds already
     */
    PendingCommand next(ClockReading now, boolean staging, int size) {
        if (rolling) {
            // A rollout that was checked must not change in the same commit, because it would not be checked again.
            return isEnough(size - sizeBeforeRolling + rolled) ? null : roll(now);
        }
        enough = enough || !asking && sizeBeforeDue >= 0 && isEnough(size - sizeBeforeDue);
        boolean pauses = pauses();
        if (!pauses && !again.isEmpty() && !(enough && mayWait(again.peek()))) {
            return counted(again.poll(), size);
        }
        if (!own.isEmpty() && !(enough && mayWait(own.peek()))) {
            return counted(own.poll(), size);
        }
        Optional<GroupId> due = pauses || enough ? Optional.empty() : deadlines.take(now);
        if (due.isPresent()) {
            return counted(PendingCommand.due(due.get()), size);
        }
        if (!staging && !deferred.isEmpty()) {
            return deferred.poll();
        }
        asking = true;
        PendingCommand asked = callers.poll();
        if (asked != null || pauses) {
            return asked;
        }
        Command.Sight sighting = sightings.poll();
        if (sighting != null) {
            return PendingCommand.of(sighting, null);
        }
        Command.Denied denied = denials.poll();
        if (denied != null) {
            return PendingCommand.of(denied, null);
        }
        if (enough) {
            return null;
        }
        rolling = true;
        sizeBeforeRolling = size;
        return roll(now);
    }

    /** What cannot wait does not count, so that every batch looks at some groups that are due, however much of it there is. */
    private PendingCommand counted(PendingCommand own, int size) {
        if (sizeBeforeDue < 0 && mayWait(own)) {
            sizeBeforeDue = size;
        }
        return own;
    }

    private boolean isEnough(int size) {
        return size >= (callersCome() ? MOST_OWN_BESIDE_CALLERS : MOST_OWN);
    }

    private boolean callersCome() {
        return !callers.isEmpty() || context.elapsedNanos().getAsLong() - called < CALLERS_COME;
    }

    /** There may be one for every group; the others are few, and some must come before anything else. */
    private static boolean mayWait(PendingCommand pending) {
        return pending.command() instanceof Command.Due;
    }

    private PendingCommand roll(ClockReading now) {
        Command.Roll roll = rollouts.take(now.wall()).orElse(null);
        rolled += roll == null ? 0 : roll.units().size();
        return roll == null ? null : PendingCommand.of(roll, null);
    }

    /** Refuses all callers whose commands were not begun, and returns how many. Any thread. */
    int refuseCallers(RefusedException refusal) {
        int refused = 0;
        for (PendingCommand pending = callers.poll(); pending != null; pending = callers.poll()) {
            pending.refuse(refusal);
            refused++;
        }
        return refused;
    }

    /** Refuses all callers that still wait. */
    void refuseAll(RefusedException refusal) {
        refuseCallers(refusal);
        deferred.forEach(pending -> pending.refuse(refusal));
        own.forEach(pending -> pending.refuse(refusal));
        again.forEach(pending -> pending.refuse(refusal));
    }
}
