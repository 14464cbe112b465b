package io.forewarn.core.access;

/** Lists the roles of API tokens, from least to most access. */
public enum Role {
    /** Reads a calendar, and nothing else. */
    CALENDAR,
    /** Reads only, one tenant or all. */
    VIEWER,
    /** Reads and changes what belongs to one tenant. */
    OWNER,
    /** Everything, for all tenants. */
    OPERATOR;

    /** The role of a token for which only the tenant is known. */
    public static Role implied(String tenant) {
        return tenant.equals(ApiToken.EVERY_TENANT) ? OPERATOR : OWNER;
    }

    public boolean atLeast(Role needed) {
        return compareTo(needed) >= 0;
    }
}
