package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.View;
import io.forewarn.core.rules.Token;
import io.forewarn.wire.control.TokenBody;
import java.time.Instant;
import java.util.function.Supplier;

/** Lets in who has a token: one from the store, or the one this process made for its own user. */
final class Gate {
    /** The name under which the local user's deeds are recorded. */
    static final String LOCAL = "local";

    private static final String SCHEME = "Bearer ";

    private final Supplier<View> view;
    private final Clock clock;
    private final String localDigest;

    Gate(Supplier<View> view, Clock clock, String localSecret) {
        this.view = view;
        this.clock = clock;
        this.localDigest = Secrets.digest(localSecret);
    }

    Caller admit(String authorization, String from) {
        if (authorization == null) {
            throw new Refusal(
                    Problem.UNAUTHENTICATED,
                    "no token was sent; the header 'Authorization: Bearer TOKEN' would be right");
        }
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new Refusal(Problem.UNAUTHENTICATED, "the Authorization header is not of the form 'Bearer TOKEN'");
        }
        String digest = Secrets.digest(authorization.substring(SCHEME.length()).strip());
        Caller found = null;
        if (Secrets.same(localDigest, digest)) {
            found = new Caller(LOCAL, TokenBody.EVERY_TENANT, from);
        }
        // All are compared, also after a match: the time taken tells nothing.
        Instant now = clock.now().wall();
        boolean expired = false;
        for (Token token : view.get().tokens()) {
            if (Secrets.same(token.sha256(), digest)) {
                expired = token.expiresAt() != null && !now.isBefore(token.expiresAt());
                found = new Caller(token.name(), token.tenant(), from);
            }
        }
        if (found == null) {
            throw new Refusal(
                    Problem.UNAUTHENTICATED,
                    "the token is not known here; 'forewarn token add NAME' on the server's machine makes one");
        }
        if (expired) {
            throw new Refusal(
                    Problem.UNAUTHENTICATED,
                    "token '" + found.name() + "' has expired; 'forewarn token add NAME' makes a new one");
        }
        return found;
    }
}
