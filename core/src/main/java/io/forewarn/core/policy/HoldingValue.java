package io.forewarn.core.policy;

/** Lists the policy values that can delay platform maintenance. */
public enum HoldingValue {
    WINDOWS,
    BLACKOUTS,
    SEEN_BY_ALL
}
