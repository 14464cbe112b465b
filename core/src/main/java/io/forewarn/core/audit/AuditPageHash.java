package io.forewarn.core.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Adds and checks the hash of stored audit pages: the bytes, a line break, and their SHA-256 in hex. The bytes contain
 * the hash of the previous page, so that each hash covers everything written before; it covers bytes, not their
 * meaning, so that any change is detected, even one that a parser would ignore.
 */
public final class AuditPageHash {
    public static final int HASH_LENGTH = 64;

    private static final int LENGTH = HASH_LENGTH + 1;

    private AuditPageHash() {}

    /**
     * @param hash the stored hash
     * @param intact whether it matches the content
     */
    public record Sealed(byte[] content, String hash, boolean intact) {}

    public static byte[] seal(byte[] content) {
        byte[] sealed = Arrays.copyOf(content, content.length + LENGTH);
        byte[] tail = ("\n" + hash(content)).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(tail, 0, sealed, content.length, LENGTH);
        return sealed;
    }

    /** Empty if there is no hash at the end. */
    public static Optional<Sealed> open(byte[] sealed) {
        int length = sealed.length - LENGTH;
        if (length < 0 || sealed[length] != '\n') {
            return Optional.empty();
        }
        byte[] content = Arrays.copyOf(sealed, length);
        String hash = new String(sealed, length + 1, HASH_LENGTH, StandardCharsets.ISO_8859_1);
        return Optional.of(new Sealed(content, hash, hash.equals(hash(content))));
    }

    /** The stored hash of a page, by which the next page refers to it, even if the page was changed. */
    public static String named(byte[] sealed) {
        return open(sealed).map(Sealed::hash).orElseGet(() -> hash(sealed));
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
