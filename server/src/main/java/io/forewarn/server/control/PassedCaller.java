package io.forewarn.server.control;

import io.forewarn.core.rules.Role;
import io.forewarn.core.rules.Token;
import io.forewarn.wire.control.Words;
import java.time.Instant;

/**
 * A caller as one node tells another: all that decides about what it may do.
 *
 * @param expiresAt when its token does; null if never. No token makes one that lasts longer
 */
record PassedCaller(String name, String tenant, String role, String expiresAt, String from) {
    static PassedCaller of(Caller caller) {
        Token token = caller.token();
        return new PassedCaller(
                token.name(),
                token.tenant(),
                Words.of(token.role()),
                token.expiresAt() == null ? null : token.expiresAt().toString(),
                caller.from());
    }

    Token token() {
        return new Token(
                name,
                tenant,
                Words.parse(Role.class, role).orElseThrow(),
                "",
                Instant.EPOCH,
                expiresAt == null ? null : Instant.parse(expiresAt));
    }
}
