package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the codes of sign-in links. Each opens one session, within five minutes, at the node that made it: the link
 * names that node.
 */
final class SignInLinks {
    static final Duration LIFETIME = Duration.ofMinutes(5);

    /** How codes begin, so that they are not taken for tokens. */
    static final String PREFIX = "fwl_";

    private static final int MOST = 1000;

    private final Vertx vertx;
    /** By the digests of the codes. */
    private final Map<String, Caller> open = new ConcurrentHashMap<>();

    SignInLinks(Vertx vertx) {
        this.vertx = vertx;
    }

    /** @return the code of a link that signs its bearer in as the caller */
    String create(Caller caller) {
        if (open.size() >= MOST) {
            throw new RefusedException(
                    Problem.LIMIT_EXCEEDED,
                    MOST + " sign-in links have not been used yet; they expire within five minutes");
        }
        String code = PREFIX + Secrets.fresh().substring("fw_".length());
        String digest = Secrets.digest(code);
        open.put(digest, caller);
        vertx.setTimer(LIFETIME.toMillis(), timer -> open.remove(digest));
        return code;
    }

    /** @return whose link it is; nobody can use it again */
    Caller redeem(String code, String from) {
        Caller caller = open.remove(Secrets.digest(code));
        if (caller == null) {
            throw new RefusedException(
                    Problem.UNAUTHENTICATED,
                    "this link was used already, is older than five minutes or was made by another node;"
                            + " 'forewarn console' makes a new one");
        }
        return new Caller(caller.token(), from);
    }
}
