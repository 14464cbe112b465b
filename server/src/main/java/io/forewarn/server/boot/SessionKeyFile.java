package io.forewarn.server.boot;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/** Keeps the key that signs the console's sessions beside the store of a single node, so that they outlive a restart. */
final class SessionKeyFile {
    static final String NAME = "console.key";

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SessionKeyFile() {}

    /** The key in the folder. If none can be kept there, a new one, and everyone signs in again after a restart. */
    static byte[] in(Path folder, Log log) {
        byte[] fresh = new byte[BYTES];
        RANDOM.nextBytes(fresh);
        Path file = folder.resolve(NAME);
        try {
            if (!Files.exists(file)) {
                create(file, fresh);
            }
            byte[] kept = Files.readAllBytes(file);
            if (kept.length == BYTES) {
                return kept;
            }
            log.write(LogLine.warning("console-key")
                    .with("detail", file + " is damaged; delete it. Sessions of the console end at a restart"));
        } catch (IOException | UnsupportedOperationException unkept) {
            log.write(LogLine.warning("console-key")
                    .with("failure", unkept)
                    .with("detail", "sessions of the console end at a restart"));
        }
        return fresh;
    }

    private static void create(Path file, byte[] key) throws IOException {
        try (var out = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            out.write(ByteBuffer.wrap(key));
        } catch (FileAlreadyExistsException made) {
            // By another process; it is read next.
        }
    }
}
