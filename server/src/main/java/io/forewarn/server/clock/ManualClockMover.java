package io.forewarn.server.clock;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Moves a manual clock from one due time to the next. At each, deadlines, simulated reports and commits are processed
 * before the next, so that the result is the same however far the clock is moved at once. Each position is durable
 * before it takes effect.
 */
public final class ManualClockMover {
    /** Runs the engine's turns for the mover. */
    public interface Writer {
        /** Runs something between two turns. Thread-safe. */
        <T> CompletableFuture<T> run(Supplier<T> errand);

        /** One turn of everything; returns how much it did. */
        int turn();

        /** When something becomes due. */
        Optional<Instant> due();
    }

    private final ManualTime clock;
    private final Supplier<Engine> engine;
    private final Writer writer;

    public ManualClockMover(ManualTime clock, Supplier<Engine> engine, Writer writer) {
        this.clock = clock;
        this.engine = engine;
        this.writer = writer;
    }

    /**
     * Completes when all work that became due is done. Thread-safe.
     *
     * @param once the idempotency key; null if there is none
     */
    public CompletableFuture<Instant> moveTo(Instant target, Actor actor, Once once) {
        return writer.run(() -> move(target, actor, once));
    }

    /** The same, counted from the clock's time when it is its turn, or was at the first attempt. Thread-safe. */
    public CompletableFuture<Instant> moveBy(Duration by, Actor actor, Once once) {
        return writer.run(() -> {
            Instant target = begin(by, once);
            // Others may have moved the clock since the first attempt.
            return move(target.isBefore(now()) && !isDone(once) ? now() : target, actor, once);
        });
    }

    private boolean isDone(Once once) {
        return once != null && engine.get().answered(once).isPresent();
    }

    /**
     * The end of a move by a duration. Stored, so that a repetition ends where the first attempt would have, even if
     * that was interrupted.
     */
    private Instant begin(Duration by, Once once) {
        Instant target = now().plus(by);
        if (once == null) {
            return target;
        }
        Once begun = new Once("begun " + once.key(), once.fingerprint());
        Optional<Instant> before = engine.get().answered(begun);
        if (before.isEmpty()) {
            settle();
            store(new Command.MoveClock(now(), target, Actor.SERVICE), begun);
        }
        return before.orElse(target);
    }

    private Instant move(Instant target, Actor actor, Once once) {
        if (isDone(once)) {
            return target;
        }
        Rules.checkClock(target); // Before the first step: a move that must fail moves nothing.
        Instant from = now();
        try {
            settle();
            for (Optional<Instant> due = writer.due(); isWithin(due, target); due = writer.due()) {
                step(due.get().isAfter(now()) ? due.get() : now(), Actor.SERVICE, null);
            }
            step(target, actor, once);
            return now();
        } catch (RefusedException refusal) {
            throw now().equals(from) ? refusal : partly(from, target, refusal, once);
        }
    }

    /**
     * The part already moved is durable. Repeating the whole move would go too far, unless a key identifies the end of
     * the first attempt: other nodes repeat only requests with an unknown outcome.
     */
    private RefusedException partly(Instant from, Instant target, RefusedException why, Once once) {
        return new RefusedException(
                once == null ? Problem.CONFLICT : Problem.OUTCOME_UNKNOWN,
                "the clock was moved from " + from + " to " + now() + " and no further: " + why.getMessage()
                        + ". 'forewarn clock set " + target + "' goes on from there");
    }

    private static boolean isWithin(Optional<Instant> due, Instant target) {
        return due.isPresent() && !due.get().isAfter(target);
    }

    Instant now() {
        return clock.now().wall();
    }

    private void step(Instant to, Actor actor, Once once) {
        if (!to.equals(now()) || actor != Actor.SERVICE) {
            store(new Command.MoveClock(to, actor), once);
            clock.set(to);
        }
        settle();
    }

    private void store(Command.MoveClock move, Once once) {
        CompletableFuture<CommandResult> stored = engine.get().submit(move, once);
        settle();
        await(stored);
    }

    private static void await(CompletableFuture<CommandResult> settled) {
        try {
            settled.join();
        } catch (CompletionException wrapped) {
            throw wrapped.getCause() instanceof RefusedException refusal ? refusal : wrapped;
        }
    }

    private void settle() {
        while (writer.turn() > 0 || !engine.get().isIdle()) {
            Optional<StoreException> trouble = engine.get().trouble();
            if (trouble.isPresent()) {
                throw new RefusedException(
                        Problem.STORE_UNAVAILABLE,
                        "the clock stands at " + now() + ": " + trouble.get().getMessage());
            }
        }
    }
}
