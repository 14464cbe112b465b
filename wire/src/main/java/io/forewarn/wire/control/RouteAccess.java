package io.forewarn.wire.control;

import io.forewarn.core.access.Role;

/**
 * States who may use a route: the minimum role, and whether a token for one tenant is enough. A caller sees and changes
 * only what belongs to the tenants of its token.
 */
public enum RouteAccess {
    /** Everyone, without a token. */
    OPEN(null, false, "anyone"),
    /** Reads what a calendar shows. */
    CALENDAR(Role.CALENDAR, false, "a calendar token, viewer, owner or operator"),
    /** Reads data of the token's tenants. */
    VIEW(Role.VIEWER, false, "a viewer, owner or operator"),
    /** Changes data of the token's tenants. */
    OWN(Role.OWNER, false, "an owner or operator"),
    /** Reads data of the whole service. */
    VIEW_ALL(Role.VIEWER, true, "a viewer of all tenants or an operator"),
    /** Changes data of the whole service. */
    OPERATE(Role.OPERATOR, true, "an operator");

    private final Role least;
    private final boolean wholeService;
    private final String who;

    RouteAccess(Role least, boolean wholeService, String who) {
        this.least = least;
        this.wholeService = wholeService;
        this.who = who;
    }

    /** As part of a sentence: {@code an owner or operator}. */
    public String who() {
        return who;
    }

    public boolean allows(Role role, boolean everyTenant) {
        return least == null || role.atLeast(least) && (everyTenant || !wholeService);
    }
}
