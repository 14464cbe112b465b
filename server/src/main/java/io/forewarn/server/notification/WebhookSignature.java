package io.forewarn.server.notification;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs webhooks: HMAC-SHA256 over {@code id.timestamp.body}, as Standard Webhooks does. */
public final class WebhookSignature {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    private WebhookSignature() {}

    /** A new random secret. */
    public static String freshSecret() {
        byte[] bits = new byte[32];
        RANDOM.nextBytes(bits);
        return PREFIX + Base64.getEncoder().encodeToString(bits);
    }

    /** @throws RefusedException if nothing can be signed with it */
    public static void check(String secret) {
        if (secret.length() < 16 || secret.length() > 256 || !secret.matches("[\\x21-\\x7e]+")) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "a secret must have 16 to 256 printable ASCII characters without spaces");
        }
        key(secret);
    }

    static String of(String secret, String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key(secret), ALGORITHM));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** After {@code whsec_} stands base64; any other secret is taken as it is. */
    private static byte[] key(String secret) {
        if (!secret.startsWith(PREFIX)) {
            return secret.getBytes(StandardCharsets.UTF_8);
        }
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
            if (key.length > 0) {
                return key;
            }
        } catch (IllegalArgumentException malformed) {
            // Reported below.
        }
        throw new RefusedException(Problem.BAD_INPUT, "after whsec_ the secret must be base64");
    }
}
