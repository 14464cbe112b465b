package io.forewarn.core.rules;

/**
 * A command that carried an idempotency key, and its answer: asked again, it is answered again and not done again.
 *
 * @param fingerprint of the request, so that the same key with another request is refused
 */
public record Done(String key, String fingerprint, Answer answer) {}
