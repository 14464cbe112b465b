package io.forewarn.server.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestSignerTest {
    private static final String BODY = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final RequestSigner ours = new RequestSigner("secret", () -> "a:1", () -> now);
    private final RequestSigner theirs = new RequestSigner("secret", () -> "b:1", () -> now);

    private Map<String, String> signed() {
        return new HashMap<>(ours.sign("b:1", theirs.bootId(), request("/v1/x?a=b", BODY, "{\"name\":\"grüße\"}")));
    }

    private static ForwardedRequest request(String uri, String digest, String caller) {
        return new ForwardedRequest("POST", uri, "text/plain", null, null, digest, caller, "a-key");
    }

    private void refused(String why, String method, String uri, Map<String, String> headers) {
        RefusedException refusal = assertThrows(RefusedException.class, () -> theirs.check(method, uri, headers::get));
        assertEquals(Problem.FORBIDDEN, refusal.problem());
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    @Test
    void aSignatureIsAcceptedOnce() {
        Map<String, String> headers = signed();
        VouchedRequest vouched = theirs.check("POST", "/v1/x?a=b", headers::get);
        assertEquals("{\"name\":\"grüße\"}", vouched.caller());
        assertEquals(BODY, vouched.body());
        refused("it is a duplicate", "POST", "/v1/x?a=b", headers);
    }

    @Test
    void aChangeOfAnythingIsNoticed() {
        refused("signature is wrong", "PUT", "/v1/x?a=b", signed());
        refused("signature is wrong", "POST", "/v1/x?a=c", signed());
        for (String header :
                List.of(RequestSigner.BODY, RequestSigner.CALLER, RequestSigner.TIME, RequestSigner.NONCE)) {
            Map<String, String> changed = signed();
            changed.put(header, signedOther(header));
            refused("signature is wrong", "POST", "/v1/x?a=b", changed);
        }
        for (String header : List.of("Idempotency-Key", "Content-Type")) {
            Map<String, String> changed = signed();
            for (String other : List.of("another", "")) {
                changed.put(header, other);
                refused("signature is wrong", "POST", "/v1/x?a=b", changed);
            }
            changed.remove(header);
            refused("signature is wrong", "POST", "/v1/x?a=b", changed);
        }
        Map<String, String> without = signed();
        without.remove(RequestSigner.SIGNATURE);
        refused("not signed", "POST", "/v1/x?a=b", without);
    }

    private String signedOther(String header) {
        now = now.plusSeconds(1);
        return ours.sign("b:1", theirs.bootId(), request("/other", "0".repeat(64), "{\"name\":\"eve\"}"))
                .get(header);
    }

    @Test
    void anotherSecretAndAnotherTimeAreRefused() {
        Map<String, String> strange = new RequestSigner("other", () -> "a:1", () -> now)
                .sign("b:1", theirs.bootId(), request("/v1/x?a=b", BODY, "{}"));
        refused("signature is wrong", "POST", "/v1/x?a=b", strange);
        Map<String, String> old = signed();
        now = now.plusSeconds(31);
        refused("it was signed at", "POST", "/v1/x?a=b", old);
        Map<String, String> future = signed();
        now = now.minusSeconds(31);
        refused("it was signed at", "POST", "/v1/x?a=b", future);
    }

    @Test
    void aSealIsGoodAtTheNodeItWasMadeForAlone() {
        Map<String, String> forAnother = ours.sign("c:1", theirs.bootId(), request("/v1/x?a=b", BODY, "{}"));
        refused("signature is wrong", "POST", "/v1/x?a=b", forAnother);
    }

    /** Or what was caught before a node was started anew would be good there once more. */
    @Test
    void aSignatureIsValidForOneBootIdAndRenewedForTheNext() {
        Map<String, String> caught = signed();
        theirs.check("POST", "/v1/x?a=b", caught::get);
        RequestSigner startedAnew = new RequestSigner("secret", () -> "b:1", () -> now);
        // Nothing was done, so who has not heard of the new life may send it again.
        assertThrows(NotDoneException.class, () -> startedAnew.check("POST", "/v1/x?a=b", caught::get));
        caught.put(RequestSigner.BOOT_ID, startedAnew.bootId());
        RefusedException forged =
                assertThrows(RefusedException.class, () -> startedAnew.check("POST", "/v1/x?a=b", caught::get));
        assertEquals(Problem.FORBIDDEN, forged.problem());
        Map<String, String> anew = ours.sign("b:1", startedAnew.bootId(), request("/v1/x?a=b", BODY, "{}"));
        assertEquals("{}", startedAnew.check("POST", "/v1/x?a=b", anew::get).caller());
    }

    @Test
    void expiredSignaturesAreForgotten() {
        Map<String, String> late = signed();
        theirs.check("POST", "/v1/x?a=b", signed()::get);
        now = now.plusSeconds(30);
        theirs.check("POST", "/v1/x?a=b", late::get);
        theirs.check("POST", "/v1/x?a=b", signed()::get);
        assertEquals(3, theirs.remembered());
        now = now.plusMillis(1);
        Map<String, String> last = signed();
        theirs.check("POST", "/v1/x?a=b", last::get);
        assertEquals(2, theirs.remembered());
        refused("it is a duplicate", "POST", "/v1/x?a=b", last);
    }
}
