package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.RouteAccess;

/**
 * Who asks: a token's bearer.
 *
 * @param from the address it asks from
 */
record Caller(ApiToken token, String from) {
    String name() {
        return token.givenName();
    }

    /** The same for as long as the token is the same one: another may come by its name later. */
    String identity() {
        return name().equals(TokenAuthenticator.LOCAL)
                ? TokenAuthenticator.LOCAL
                : token.name() + "." + token.createdAt().toEpochMilli();
    }

    Actor actor() {
        return token.role() == Role.OPERATOR ? Actor.person(name(), from) : Actor.owner(name(), from);
    }

    boolean everyTenant() {
        return token.everyTenant();
    }

    /** What a bare name means. */
    String tenant() {
        return everyTenant() ? NameRules.DEFAULT_TENANT : token.tenant();
    }

    boolean maySee(String tenant) {
        return everyTenant() || token.tenant().equals(tenant);
    }

    /** The one place that decides about roles. */
    void must(RouteAccess routeAccess) {
        if (!routeAccess.allows(token.role(), everyTenant())) {
            throw forbidden("this needs " + routeAccess.who());
        }
    }

    /** For the few things within a route that only operators may. */
    void mustOperate(String what) {
        if (token.role() != Role.OPERATOR) {
            throw forbidden(what + " needs an operator");
        }
    }

    private AccessDeniedException forbidden(String need) {
        String tenants = everyTenant() ? "all tenants" : "tenant '" + token.tenant() + "'";
        return new AccessDeniedException(
                Problem.FORBIDDEN,
                "token '" + name() + "' is " + (token.role() == Role.VIEWER ? "a " : "an ") + EnumNames.of(token.role())
                        + " of " + tenants + "; " + need);
    }

    /** Another tenant is answered like one that does not exist, whether it does or not. */
    void mustOpen(String tenant) {
        if (!maySee(tenant)) {
            throw new AccessDeniedException(
                    Problem.UNKNOWN_NAME, "there is no tenant " + tenant + " that this token opens");
        }
    }
}
