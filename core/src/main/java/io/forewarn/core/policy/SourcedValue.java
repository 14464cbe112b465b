package io.forewarn.core.policy;

/**
 * A value, and who said it.
 *
 * @param by null for the terms of the service
 */
public record SourcedValue<T>(T value, Scope by) {
    /** Who said it, for people. */
    public String origin() {
        return by == null ? "the terms of the service" : "the policy of " + by.words();
    }
}
