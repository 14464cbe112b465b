package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.server.settings.ClockSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** Hands on the service's clock. Both moves fail with a {@link io.forewarn.core.Refusal} unless it is manual. */
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
}
