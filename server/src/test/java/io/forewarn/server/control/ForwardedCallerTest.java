package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.server.forward.ForwardedCaller;
import io.forewarn.wire.control.Json;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ForwardedCallerTest {
    @ParameterizedTest
    @EnumSource(Role.class)
    void callerPermissionsRoundTrip(Role role) {
        Instant end = role == Role.OPERATOR ? null : Instant.parse("2030-01-01T00:00:00.5Z");
        ApiToken token = new ApiToken(
                "ci", role == Role.OWNER ? "shop" : "*", role, "", Instant.parse("2026-03-01T12:00:00.25Z"), end);
        ForwardedCaller passed = ForwardedCaller.of(token, "127.0.0.1");
        ForwardedCaller arrived = Json.message(ForwardedCaller.class, Json.write(passed));
        assertEquals(token, arrived.token());
        assertEquals("127.0.0.1", arrived.from());
        // Or the same idempotency key would be another one at another node.
        assertEquals(new Caller(token, "").identity(), new Caller(arrived.token(), "").identity());
    }
}
