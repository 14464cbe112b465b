package io.forewarn.records;

import io.forewarn.core.rules.Token;
import java.io.IOException;
import java.time.Instant;

/** What opens the control API. */
final class TokenJson {
    private TokenJson() {}

    static void write(JsonOut out, Token token) throws IOException {
        out.text("name", token.name());
        out.text("tenant", token.tenant());
        out.text("sha256", token.sha256());
        out.instant("createdAt", token.createdAt());
        out.maybe("expiresAt", token.expiresAt());
    }

    static Token read(JsonIn in) throws IOException {
        String token = null;
        String tenant = null;
        String sha256 = null;
        Instant createdAt = null;
        Instant expiresAt = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "name" -> token = in.text();
                case "tenant" -> tenant = in.sharedText();
                case "sha256" -> sha256 = in.text();
                case "createdAt" -> createdAt = in.instant();
                case "expiresAt" -> expiresAt = in.instant();
                default -> in.skip();
            }
        }
        return new Token(
                Damaged.unlessNull(token, "name"),
                Damaged.unlessNull(tenant, "tenant"),
                Damaged.unlessNull(sha256, "sha256"),
                Damaged.unlessNull(createdAt, "createdAt"),
                expiresAt);
    }
}
