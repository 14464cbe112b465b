package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.policy.Policy;

/** A policy under a key of its own. */
public record StoredPolicy(Policy policy) implements StoredRecord {
    public static final String PREFIX = "policy/";

    @Override
    public String key() {
        return PREFIX + policy.scope();
    }
}
