package io.forewarn.core.policy;

/**
 * A value, and who said it.
 *
 * @param by null for the terms of the service
 * @param owners whether an owner set it, not an operator; only known of a {@link HoldingValue}
 */
public record SourcedValue<T>(T value, Scope by, boolean owners) {
    public SourcedValue(T value, Scope by) {
        this(value, by, false);
    }

    /** Who said it, for people. */
    public String origin() {
        return by == null
                ? "the terms of the service"
                : "the policy of " + by.words() + (owners ? ", set by an owner" : "");
    }
}
