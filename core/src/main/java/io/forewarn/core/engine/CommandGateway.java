package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.StateReader;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Where commands are handed in, and what is committed is looked up: the engine itself, or what stands for it on a node that does
 * not write. Any thread.
 */
public interface CommandGateway {
    /** What is committed, as far as it is known here. Always the same object. */
    PublishedState view();

    Rules rules();

    /** Asks for a command. Completes when it is durable, or with a {@link RefusedException}. */
    default CompletableFuture<CommandResult> submit(Command command) {
        return submit(command, null);
    }

    /** The same, done only once however often it is asked for under the same key. */
    CompletableFuture<CommandResult> submit(Command command, Engine.Once once);

    /**
     * When the writer did what was asked for under a key, or where the clock went to by that; empty if it did not, or this node does not write.
     *
     * @throws RefusedException if the key was used for another request
     */
    default Optional<Instant> answered(Engine.Once once) {
        return Optional.empty();
    }

    /** Works a fleet change out on the caller's thread, so that the writer need not, and asks for it. */
    CompletableFuture<CommandResult> change(Function<StateReader, FleetChange> plan, Actor actor, Engine.Once once);

    /** Finds the units of a rollout on the caller's thread and asks for it. */
    CompletableFuture<CommandResult> roll(RolloutSpec spec, Actor actor, Engine.Once once);

    /** Notes that a machine was handed a document: never refused, never waited for; dropped if far too many come. */
    void sighted(Command.Sight sighting);

    /** Has it written down that somebody was refused before it came to a command; dropped if far too many come. */
    void denied(String asked, RefusedException refusal, Actor actor);

    /** Why the store does not take writes at present. */
    Optional<StoreException> trouble();

    /** Whether the store is not where it was opened: what is served here is then on no disk. */
    default boolean storeIsMissing() {
        return false;
    }

    /** Which writer this is, or the one that is followed. */
    long epoch();

    /** The last commit this node knows of: no answer it has given is founded on a later one. */
    long commit();

    /** How many commands wait here. */
    int queued();
}
