package io.forewarn.core.rules;

import java.time.Instant;

/**
 * A command that carried an idempotency key, and its answer: asked again, it is answered again and not done again.
 *
 * @param fingerprint of the request, so that the same key with another request is refused
 * @param at from when on it ages; null for the time of its commit
 */
public record Done(String key, String fingerprint, Answer answer, Instant at) {
    public Done(String key, String fingerprint, Answer answer) {
        this(key, fingerprint, answer, null);
    }
}
