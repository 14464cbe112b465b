package io.forewarn.server.clock;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.server.settings.ClockSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Moves and repairs the service clock. Moves fail with a {@link io.forewarn.core.RefusedException} unless it is manual. */
public interface ClockControl {
    ClockSettings.Kind kind();

    /**
     * Completes with the new time when all work that became due is done.
     *
     * @param once idempotency key: a repeated request moves the clock only once, and continues to the same time if it
     *     was interrupted; or null
     */
    CompletionStage<Instant> advance(Duration by, Actor actor, Once once);

    /** The same, to a given time; refused if that is in the past. */
    CompletionStage<Instant> set(Instant to, Actor actor, Once once);

    /**
     * Sets service time to the machines' clocks at once, which it otherwise follows only after they have run steadily.
     *
     * @param node the node whose clock is right; null for this machine's, or for the majority of nodes
     */
    CompletionStage<Instant> repair(String node, Actor actor, Once once);

    /** What is wrong with the machine's clock; empty if nothing. */
    default Optional<String> trouble() {
        return Optional.empty();
    }
}
