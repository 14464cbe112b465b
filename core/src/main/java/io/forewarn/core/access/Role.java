package io.forewarn.core.access;

/** What a token lets its bearer do, from least to most. */
public enum Role {
    /** Sees, and changes nothing. Of one tenant, or of all. */
    VIEWER,
    /** Sees and touches what belongs to one tenant, and nothing else. */
    OWNER,
    /** Everything, of all tenants. */
    OPERATOR;

    /** The role of a token of which only the tenant is said. */
    public static Role implied(String tenant) {
        return tenant.equals(ApiToken.EVERY_TENANT) ? OPERATOR : OWNER;
    }

    public boolean atLeast(Role needed) {
        return compareTo(needed) >= 0;
    }
}
