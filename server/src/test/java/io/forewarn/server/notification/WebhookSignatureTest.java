package io.forewarn.server.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forewarn.core.RefusedException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class WebhookSignatureTest {
    /** The example that the Standard Webhooks libraries are tested with. */
    @Test
    void itIsThatOfStandardWebhooks() {
        assertEquals(
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                WebhookSignature.of(
                        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1614265330,
                        "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aSecretThatIsNotBase64IsTakenAsItIs() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        assertNotEquals(
                WebhookSignature.of("correct horse battery", "a", 1, body),
                WebhookSignature.of("correct horse batterz", "a", 1, body));
        assertThrows(RefusedException.class, () -> WebhookSignature.check("whsec_not base64!"));
        assertThrows(RefusedException.class, () -> WebhookSignature.check("short"));
        assertThrows(RefusedException.class, () -> WebhookSignature.check("line\nbreak in a secret"));
        WebhookSignature.check(WebhookSignature.freshSecret());
    }
}
