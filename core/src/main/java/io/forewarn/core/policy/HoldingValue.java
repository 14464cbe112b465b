package io.forewarn.core.policy;

/** A value of a policy that can keep platform work from starting for as long as it says. */
public enum HoldingValue {
    WINDOWS,
    BLACKOUTS,
    SEEN_BY_ALL
}
