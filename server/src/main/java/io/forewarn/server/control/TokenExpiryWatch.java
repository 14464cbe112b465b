package io.forewarn.server.control;

import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends answers that outlast their caller's token. A stream may be open for days and a token be revoked any moment; it
 * must be useless a second later.
 */
final class TokenExpiryWatch {
    private static final long ROUND_MILLIS = 250;

    private final TokenAuthenticator authenticator;
    private final Set<RequestContext> under = ConcurrentHashMap.newKeySet();

    TokenExpiryWatch(Vertx vertx, TokenAuthenticator authenticator) {
        this.authenticator = authenticator;
        vertx.setPeriodic(ROUND_MILLIS, timer -> round());
    }

    /** Watches a request until it is answered. */
    void watch(RequestContext request) {
        under.add(request);
    }

    private void round() {
        under.removeIf(RequestContext::isOver);
        for (RequestContext request : under) {
            if (!authenticator.stillOpen(request.caller())) {
                request.cut();
            }
        }
    }
}
