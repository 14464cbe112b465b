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
 * Accepts commands and gives access to the committed state: the engine itself, or the gateway of a follower. Any thread.
 */
public interface CommandGateway {
    /** The committed state as far as this node knows it. Always the same object. */
    PublishedState view();

    Rules rules();

    /** Submits a command. Completes when it is durable, or fails with a {@link RefusedException}. */
    default CompletableFuture<CommandResult> submit(Command command) {
        return submit(command, null);
    }

    /** The same, carried out only once however often it is submitted under the same key. */
    CompletableFuture<CommandResult> submit(Command command, Engine.Once once);

    /**
     * When the writer carried out the request with this key, or the time to which it moved the clock; empty if it did not, or this node is not the writer.
     *
     * @throws RefusedException if the key was used for another request
     */
    default Optional<Instant> answered(Engine.Once once) {
        return Optional.empty();
    }

    /** Computes a fleet change on the caller's thread, and submits it. */
    CompletableFuture<CommandResult> change(Function<StateReader, FleetChange> plan, Actor actor, Engine.Once once);

    /** Finds the units of a rollout on the caller's thread, and submits it. */
    CompletableFuture<CommandResult> roll(RolloutSpec spec, Actor actor, Engine.Once once);

    /** Records that a machine received a document. Fire-and-forget; dropped if there are far too many. */
    void sighted(Command.Sight sighting);

    /** Audits a refusal that happened before there was a command; dropped if there are far too many. */
    void denied(String asked, RefusedException refusal, Actor actor);

    /** Why the store does not accept writes at present. */
    Optional<StoreException> trouble();

    /** Whether the store has disappeared since it was opened: what is served here is then on no disk. */
    default boolean storeIsMissing() {
        return false;
    }

    /** The epoch of this writer, or of the one that is followed. */
    long epoch();

    /** The last commit this node knows of; none of its answers depends on a later one. */
    long commit();

    /** How many commands wait here. */
    int queued();
}
