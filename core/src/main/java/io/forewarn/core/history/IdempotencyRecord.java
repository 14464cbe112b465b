package io.forewarn.core.history;

import io.forewarn.core.event.EventId;
import java.time.Instant;
import java.util.List;

/**
 * A command that carried an idempotency key, and its outcome: asked again, it is answered again and not done again.
 *
 * @param fingerprint of the request, so that the same key with another request is refused
 * @param at from when on it ages; null for the time of its commit
 */
public record IdempotencyRecord(String key, String fingerprint, Outcome outcome, Instant at) {
    /**
     * What the caller was told.
     *
     * @param events the events that the command made or touched
     * @param changes how many things of the fleet it added, changed or removed
     */
    public record Outcome(List<EventId> events, int changes) {
        public Outcome {
            events = List.copyOf(events);
        }
    }

    public IdempotencyRecord(String key, String fingerprint, Outcome outcome) {
        this(key, fingerprint, outcome, null);
    }
}
