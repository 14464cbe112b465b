package io.forewarn.wire.control;

import io.forewarn.core.access.Role;

/**
 * Who may ask for a route: the least role it takes, and whether a token of one tenant is enough. Who passes is shown, and may
 * touch, only what belongs to the tenants of its token.
 */
public enum RouteAccess {
    /** Anybody, without a token. */
    OPEN(null, false, "anyone"),
    /** Shows what the token's tenants have. */
    VIEW(Role.VIEWER, false, "a viewer, owner or operator"),
    /** Touches what the token's tenants have. */
    OWN(Role.OWNER, false, "an owner or operator"),
    /** Shows what concerns the whole service. */
    VIEW_ALL(Role.VIEWER, true, "a viewer of all tenants or an operator"),
    /** Touches what concerns the whole service. */
    OPERATE(Role.OPERATOR, true, "an operator");

    private final Role least;
    private final boolean wholeService;
    private final String who;

    RouteAccess(Role least, boolean wholeService, String who) {
        this.least = least;
        this.wholeService = wholeService;
        this.who = who;
    }

    /** In a sentence: {@code an owner or operator}. */
    public String who() {
        return who;
    }

    public boolean allows(Role role, boolean everyTenant) {
        return least == null || role.atLeast(least) && (everyTenant || !wholeService);
    }
}
