package io.forewarn.server.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forewarn.core.RefusedException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class SignatureTest {
    /** The example that the Standard Webhooks libraries are tested with. */
    @Test
    void itIsThatOfStandardWebhooks() {
        assertEquals(
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                Signature.of(
                        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1614265330,
                        "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aSecretThatIsNotBase64IsTakenAsItIs() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        assertNotEquals(
                Signature.of("correct horse battery", "a", 1, body),
                Signature.of("correct horse batterz", "a", 1, body));
        assertThrows(RefusedException.class, () -> Signature.check("whsec_not base64!"));
        assertThrows(RefusedException.class, () -> Signature.check("short"));
        assertThrows(RefusedException.class, () -> Signature.check("line\nbreak in a secret"));
        Signature.check(Signature.freshSecret());
    }
}
