package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.core.Names;
import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.wire.control.TokenBody;

/**
 * Who asks: a token's bearer.
 *
 * @param limit the only tenant it may touch, or {@link TokenBody#EVERY_TENANT}
 */
record Caller(String name, String limit, String from) {
    Actor actor() {
        return Actor.person(name, from);
    }

    boolean everyTenant() {
        return limit.equals(TokenBody.EVERY_TENANT);
    }

    /** What a bare name means. */
    String tenant() {
        return everyTenant() ? Names.DEFAULT_TENANT : limit;
    }

    boolean maySee(String tenant) {
        return everyTenant() || limit.equals(tenant);
    }

    void mustOpen(String tenant) {
        if (!maySee(tenant)) {
            throw new Refusal(
                    Problem.FORBIDDEN,
                    "token '" + name + "' is for tenant '" + limit + "' and does not open '" + tenant + "'");
        }
    }

    /** For what concerns the whole service. */
    void mustOpenEverything() {
        if (!everyTenant()) {
            throw new Refusal(
                    Problem.FORBIDDEN,
                    "token '" + name + "' is for tenant '" + limit + "' only; this needs a token for all tenants");
        }
    }
}
