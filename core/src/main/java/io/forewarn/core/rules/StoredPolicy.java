package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.policy.Policy;

/** A policy stored under its own key. */
public record StoredPolicy(Policy policy) implements StoredRecord {
    public static final String PREFIX = "policy/";

    @Override
    public String key() {
        return PREFIX + policy.scope();
    }
}
