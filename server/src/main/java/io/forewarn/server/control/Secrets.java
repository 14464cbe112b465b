package io.forewarn.server.control;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Generates secrets and their digests. */
final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    static String fresh() {
        byte[] bits = new byte[32];
        RANDOM.nextBytes(bits);
        return "fw_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String digest(String secret) {
        return hex(sha256().digest(secret.getBytes(StandardCharsets.UTF_8)));
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Compares in constant time. */
    static boolean same(String oneDigest, String otherDigest) {
        return MessageDigest.isEqual(
                oneDigest.getBytes(StandardCharsets.US_ASCII), otherDigest.getBytes(StandardCharsets.US_ASCII));
    }
}
