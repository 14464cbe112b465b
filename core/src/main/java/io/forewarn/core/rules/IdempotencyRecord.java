package io.forewarn.core.rules;

import java.time.Instant;

/**
 * Records the result of a command with an idempotency key, so that a repeated request is answered without being
 * executed again.
 *
 * @param fingerprint identifies the request, so that the same key with another request is refused
 * @param at the time from which it ages; null for the time of its commit
 */
public record IdempotencyRecord(String key, String fingerprint, CommandResult answer, Instant at) {
    public IdempotencyRecord(String key, String fingerprint, CommandResult answer) {
        this(key, fingerprint, answer, null);
    }
}
