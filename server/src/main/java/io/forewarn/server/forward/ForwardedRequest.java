package io.forewarn.server.forward;

import io.forewarn.wire.control.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A request for the writer to answer.
 *
 * @param uri the part after {@link ForwardProtocol#PREFIX}
 * @param body null if it is in a file
 * @param file a body too large for memory; null if there is none
 * @param digest the SHA-256 of the body, in hex
 * @param caller on whose behalf, as JSON
 * @param key its idempotency key; null if it has none
 */
public record ForwardedRequest(
        String method,
        String uri,
        String contentType,
        byte[] body,
        Path file,
        String digest,
        String caller,
        String key) {
    public static ForwardedRequest of(
            String method, String uri, String contentType, byte[] body, String caller, String key) {
        String digest = HexFormat.of().formatHex(sha256().digest(body));
        return new ForwardedRequest(method, uri, contentType, body, null, digest, caller, key);
    }

    /** @param key null if there is none */
    public static ForwardedRequest ofFile(
            String method, String uri, String contentType, Path file, String digest, String caller, String key) {
        return new ForwardedRequest(method, uri, contentType, null, file, digest, caller, key);
    }

    static ForwardedRequest message(String uri, Object message) {
        return of("POST", uri, "application/json", Json.write(message), "", null);
    }

    /** The SHA-256 of a file, in hex. */
    public static String digest(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether it is about machines: their requests have connections of their own. */
    boolean isOfMachines() {
        return uri.equals(ForwardProtocol.COMMAND) || uri.equals(ForwardProtocol.REPORTS);
    }

    /** Whether its answer may take long: of a large file, or of a search. */
    boolean takesLong() {
        return file != null || method.equals("GET");
    }

    /** Whether it may be sent again when it is not known if it was done. */
    boolean isRepeatable() {
        return key != null || method.equals("GET");
    }
}
