package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.server.settings.ClockSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** Hands on the service's clock. Both moves fail with a {@link io.forewarn.core.Refusal} unless it is manual. */
public interface ClockControl {
    ClockSettings.Kind kind();

    /** Completes with the new time when everything that fell due on the way has settled. */
    CompletionStage<Instant> advance(Duration by, Actor actor);

    /** The same to a given time; refused if that is past. */
    CompletionStage<Instant> set(Instant to, Actor actor);
}
