package io.forewarn.records;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import java.io.IOException;
import java.time.Instant;

/** Reads and writes API tokens. */
final class ApiTokenJson {
    private ApiTokenJson() {}

    static void write(JsonWriter out, ApiToken token) throws IOException {
        out.text("name", token.name());
        out.text("tenant", token.tenant());
        if (token.role() != Role.implied(token.tenant())) {
            out.text("role", token.role().name());
        }
        out.text("sha256", token.sha256());
        out.instant("createdAt", token.createdAt());
        out.maybe("expiresAt", token.expiresAt());
        out.maybe("group", token.group());
        out.maybe("rollout", token.rollout());
    }

    static ApiToken read(JsonReader in) throws IOException {
        String token = null;
        String tenant = null;
        Role role = null;
        String sha256 = null;
        Instant createdAt = null;
        Instant expiresAt = null;
        String group = null;
        String rollout = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "name" -> token = in.text();
                case "tenant" -> tenant = in.sharedText();
                case "role" -> role = in.constant(Role.class);
                case "sha256" -> sha256 = in.text();
                case "createdAt" -> createdAt = in.instant();
                case "expiresAt" -> expiresAt = in.instant();
                case "group" -> group = in.text();
                case "rollout" -> rollout = in.text();
                default -> in.skip();
            }
        }
        DamagedRecordException.unlessNull(tenant, "tenant");
        return new ApiToken(
                DamagedRecordException.unlessNull(token, "name"),
                tenant,
                role == null ? Role.implied(tenant) : role, // Early tokens had no role.
                DamagedRecordException.unlessNull(sha256, "sha256"),
                DamagedRecordException.unlessNull(createdAt, "createdAt"),
                expiresAt,
                group,
                rollout);
    }
}
