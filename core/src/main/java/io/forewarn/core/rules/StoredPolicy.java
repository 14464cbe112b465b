package io.forewarn.core.rules;

import io.forewarn.core.Stored;
import io.forewarn.core.policy.Policy;

/** A policy under a key of its own. */
public record StoredPolicy(Policy policy) implements Stored {
    public static final String PREFIX = "policy/";

    @Override
    public String key() {
        return PREFIX + policy.scope();
    }
}
