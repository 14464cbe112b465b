package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.RouteAccess;
import java.time.Instant;

/**
 * Represents an authenticated caller.
 *
 * @param from the source address
 * @param sessionEnd when the session ends that stands for the token, by the machine's clock; null without a session
 */
record Caller(ApiToken token, String from, Instant sessionEnd) {
    Caller(ApiToken token, String from) {
        this(token, from, null);
    }

    String name() {
        return token.givenName();
    }

    /** Identifies the token itself: another one may get its name later. */
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

    /** The tenant of names without one. */
    String tenant() {
        return everyTenant() ? NameRules.DEFAULT_TENANT : token.tenant();
    }

    boolean maySee(String tenant) {
        return everyTenant() || token.tenant().equals(tenant);
    }

    /** Checks the role; the only place that does. */
    void must(RouteAccess routeAccess) {
        if (!routeAccess.allows(token.role(), everyTenant())) {
            throw forbidden("this needs " + routeAccess.who());
        }
    }

    /** For the few parts of a route that only operators may use. */
    void mustOperate(String what) {
        if (token.role() != Role.OPERATOR) {
            throw forbidden(what + " needs an operator");
        }
    }

    private AccessDeniedException forbidden(String need) {
        String tenants = everyTenant() ? "all tenants" : "tenant '" + token.tenant() + "'";
        return new AccessDeniedException(
                Problem.FORBIDDEN,
                "token '" + name() + "' is "
                        + (token.role() == Role.VIEWER || token.role() == Role.CALENDAR ? "a " : "an ")
                        + EnumNames.of(token.role()) + " of " + tenants + "; " + need);
    }

    /** Another tenant is reported as non-existent, whether it exists or not. */
    void mustOpen(String tenant) {
        if (!maySee(tenant)) {
            throw new AccessDeniedException(
                    Problem.NOT_FOUND, "there is no tenant " + tenant + " that this token may access");
        }
    }
}
