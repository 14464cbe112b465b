package io.forewarn.core.rules;

import java.time.Instant;

/**
 * A command that carried an idempotency key, and its answer: asked again, it is answered again and not done again.
 *
 * @param fingerprint of the request, so that the same key with another request is refused
 * @param at from when on it ages; null for the time of its commit
 */
public record IdempotencyRecord(String key, String fingerprint, CommandResult answer, Instant at) {
    public IdempotencyRecord(String key, String fingerprint, CommandResult answer) {
        this(key, fingerprint, answer, null);
    }
}
