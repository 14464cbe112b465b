package io.forewarn.server.forward;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * A caller as one node describes it to another: everything its permissions depend on.
 *
 * @param createdAt when its token was created: the name may be reused later
 * @param expiresAt when its token expires; null if never. No token can create one that lasts longer
 */
public record ForwardedCaller(
        String name, String tenant, String role, String createdAt, String expiresAt, String from) {
    /** @param from the source address */
    public static ForwardedCaller of(ApiToken token, String from) {
        return new ForwardedCaller(
                token.name(),
                token.tenant(),
                EnumNames.of(token.role()),
                token.createdAt().toString(),
                token.expiresAt() == null ? null : token.expiresAt().toString(),
                from);
    }

    public String text() {
        return new String(Json.write(this), StandardCharsets.UTF_8);
    }

    public ApiToken token() {
        return new ApiToken(
                name,
                tenant,
                EnumNames.parse(Role.class, role).orElseThrow(),
                "",
                Instant.parse(createdAt),
                expiresAt == null ? null : Instant.parse(expiresAt));
    }
}
