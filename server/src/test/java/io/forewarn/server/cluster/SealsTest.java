package io.forewarn.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SealsTest {
    private static final byte[] BODY = "{}".getBytes(UTF_8);

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final Seals ours = new Seals("secret", () -> now);
    private final Seals theirs = new Seals("secret", () -> now);

    private Map<String, String> sealed() {
        return new HashMap<>(ours.seal("POST", "/v1/x?a=b", BODY, "{\"name\":\"grüße\"}"));
    }

    private void refused(String why, String method, String uri, byte[] body, Map<String, String> headers) {
        Refusal refusal = assertThrows(Refusal.class, () -> theirs.check(method, uri, body, headers::get));
        assertEquals(Problem.FORBIDDEN, refusal.problem());
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    @Test
    void whatIsSealedIsBelievedOnce() {
        Map<String, String> headers = sealed();
        assertEquals("{\"name\":\"grüße\"}", theirs.check("POST", "/v1/x?a=b", BODY, headers::get));
        refused("it came before", "POST", "/v1/x?a=b", BODY, headers);
    }

    @Test
    void aChangeOfAnythingIsNoticed() {
        refused("seal is wrong", "PUT", "/v1/x?a=b", BODY, sealed());
        refused("seal is wrong", "POST", "/v1/x?a=c", BODY, sealed());
        refused("seal is wrong", "POST", "/v1/x?a=b", "{ }".getBytes(UTF_8), sealed());
        for (String header : new String[] {Seals.CALLER, Seals.TIME, Seals.NONCE}) {
            Map<String, String> changed = sealed();
            changed.put(header, sealedOther(header));
            refused("seal is wrong", "POST", "/v1/x?a=b", BODY, changed);
        }
        Map<String, String> without = sealed();
        without.remove(Seals.SEAL);
        refused("not sealed", "POST", "/v1/x?a=b", BODY, without);
        Map<String, String> garbage = sealed();
        garbage.put(Seals.CALLER, "!!");
        refused("malformed", "POST", "/v1/x?a=b", BODY, garbage);
    }

    private String sealedOther(String header) {
        now = now.plusSeconds(1);
        return ours.seal("POST", "/other", BODY, "{\"name\":\"eve\"}").get(header);
    }

    @Test
    void anotherSecretAndAnotherTimeAreRefused() {
        Map<String, String> strange = new Seals("other", () -> now).seal("POST", "/v1/x?a=b", BODY, "{}");
        refused("seal is wrong", "POST", "/v1/x?a=b", BODY, strange);
        Map<String, String> old = sealed();
        now = now.plusSeconds(31);
        refused("it is of", "POST", "/v1/x?a=b", BODY, old);
        Map<String, String> future = sealed();
        now = now.minusSeconds(31);
        refused("it is of", "POST", "/v1/x?a=b", BODY, future);
    }
}
