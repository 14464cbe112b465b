package io.forewarn.server.clock;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.server.settings.ClockSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Hands on the service's clock. Both moves fail with a {@link io.forewarn.core.RefusedException} unless it is manual. */
public interface ClockControl {
    ClockSettings.Kind kind();

    /**
     * Completes with the new time when everything that fell due on the way has settled.
     *
     * @param once under which it is done once however often it is asked for, and goes on to the same time if it broke off midway; or null
     */
    CompletionStage<Instant> advance(Duration by, Actor actor, Once once);

    /** The same to a given time; refused if that is past. */
    CompletionStage<Instant> set(Instant to, Actor actor, Once once);

    /**
     * Has service time leap to what the machines' clocks say, which it follows else only when they have proved right.
     *
     * @param node whose clock is right; null for this machine's, or for that of more than half of the nodes
     */
    CompletionStage<Instant> repair(String node, Actor actor, Once once);

    /** What is wrong with the machine's clock, for people; empty if nothing is. */
    default Optional<String> trouble() {
        return Optional.empty();
    }
}
