package io.forewarn.core.policy;

/**
 * Holds a policy value and its source.
 *
 * @param by null for the service terms
 * @param owners whether an owner set it, not an operator; only known of a {@link HoldingValue}
 */
public record SourcedValue<T>(T value, Scope by, boolean owners) {
    public SourcedValue(T value, Scope by) {
        this(value, by, false);
    }

    /** The source, for people. */
    public String origin() {
        return by == null
                ? "the terms of the service"
                : "the policy of " + by.words() + (owners ? ", set by an owner" : "");
    }
}
