package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.server.forward.ForwardedCaller;
import java.time.Instant;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Authenticates callers by token: one from the store, or the one that this process created for its own user. */
final class TokenAuthenticator {
    /** The audit name of the local user. */
    static final String LOCAL = "local";

    /** The audit names of the server's own user and of its start. They are not stored, and no token can have them. */
    static final Set<String> RESERVED = Set.of(LOCAL, "serve");

    static final String SCHEME = "Bearer ";

    private final Supplier<PublishedState> view;
    private final Clock clock;
    private final BooleanSupplier ready;
    private final ApiToken local;
    private final Supplier<Instant> machineTime;

    /**
     * @param ready whether the published state contains all tokens
     * @param machineTime by which sessions end, whatever service time is
     */
    TokenAuthenticator(
            Supplier<PublishedState> view,
            Clock clock,
            BooleanSupplier ready,
            String localSecret,
            Supplier<Instant> machineTime) {
        this.view = view;
        this.ready = ready;
        this.clock = clock;
        this.machineTime = machineTime;
        this.local = new ApiToken(
                LOCAL, ApiToken.EVERY_TENANT, Role.OPERATOR, Secrets.digest(localSecret), Instant.EPOCH, null);
    }

    Caller admit(String authorization, String from) {
        if (authorization == null) {
            throw new RefusedException(
                    Problem.UNAUTHENTICATED, "no token was sent; use the header 'Authorization: Bearer TOKEN'");
        }
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new RefusedException(
                    Problem.UNAUTHENTICATED, "the Authorization header is not of the form 'Bearer TOKEN'");
        }
        return unlessExpired(
                new Caller(found(authorization.substring(SCHEME.length()).strip()), from));
    }

    /**
     * Authenticates a caller by a token in the URL, where others may read it: only a token that can do nothing but open a
     * calendar is accepted there.
     */
    Caller admitCalendar(String secret, String from) {
        ApiToken token = found(secret);
        if (token.role() != Role.CALENDAR) {
            throw new RefusedException(
                    Problem.UNAUTHENTICATED,
                    "only a calendar token is accepted in a URL; send others as 'Authorization: Bearer TOKEN'");
        }
        return unlessExpired(new Caller(token, from));
    }

    private ApiToken found(String secret) {
        String digest = Secrets.digest(secret);
        ApiToken found = Secrets.same(local.sha256(), digest) ? local : null;
        // All are compared, even after a match, so that the time reveals nothing.
        for (ApiToken token : view.get().tokens()) {
            if (Secrets.same(token.sha256(), digest)) {
                found = token;
            }
        }
        if (found == null) {
            throw unknownSoFar();
        }
        return found;
    }

    /** Authenticates a browser by its session. A local user's is valid at every node, and after a restart. */
    Caller admit(SessionCookies.Session session, String from) {
        ApiToken token = session.token().equals(LOCAL)
                ? local
                : view.get()
                        .token(session.token())
                        .filter(named -> named.createdAt().equals(session.createdAt()))
                        .orElseThrow(this::unknownSoFar);
        return unlessExpired(new Caller(token, from, session.until()));
    }

    /** The caller that this process's own user is. */
    Caller localUser() {
        return new Caller(local, "");
    }

    private RefusedException unknownSoFar() {
        // The token may be in the store, or be the local user's previous one: clients do not retry after 401.
        return ready.getAsBoolean()
                ? unknown()
                : new RefusedException(
                        Problem.NOT_READY,
                        "the service is starting or stopping, and does not know this token yet; try again in a moment");
    }

    /**
     * Authenticates the caller of a forwarded request again, because the other node may not know yet that its token was
     * revoked. The local users of other nodes are known only to those nodes, which vouch for them.
     */
    Caller admit(ForwardedCaller passed) {
        if (RESERVED.contains(passed.name())) {
            return new Caller(passed.token(), passed.from());
        }
        return unlessExpired(view.get()
                .token(passed.name())
                .map(token -> new Caller(token, passed.from()))
                .filter(caller ->
                        ForwardedCaller.of(caller.token(), caller.from()).equals(passed))
                .orElseThrow(TokenAuthenticator::unknown));
    }

    private static RefusedException unknown() {
        return new RefusedException(
                Problem.UNAUTHENTICATED,
                "invalid or expired token; 'forewarn token add NAME --role viewer' (or owner, operator) on the server's machine creates one");
    }

    private Caller unlessExpired(Caller caller) {
        if (caller.token().expired(clock.undoubted())) {
            throw new RefusedException(
                    Problem.UNAUTHENTICATED,
                    "token '" + caller.name() + "' has expired; 'forewarn token add NAME --role …' creates a new one");
        }
        return caller;
    }

    /** Whether who was let in would still be: its token was neither revoked nor has it expired since. */
    boolean stillOpen(Caller caller) {
        ApiToken token = caller.token();
        if (caller.sessionEnd() != null && !machineTime.get().isBefore(caller.sessionEnd())) {
            return false;
        }
        return RESERVED.contains(token.name())
                || !token.expired(clock.undoubted())
                        && view.get().token(token.name()).filter(token::equals).isPresent();
    }
}
