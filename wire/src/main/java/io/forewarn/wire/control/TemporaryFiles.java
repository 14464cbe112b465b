package io.forewarn.wire.control;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Locale;

/**
 * Names temporary files so that those of a killed process can be told from those of one that runs, and swept. All names of a
 * process begin alike, and as long as it lives it holds the operating system's lock on a file whose name begins so, too. The
 * number of a process would not do: where processes see different namespaces and share the folder, it is somebody else's.
 */
public final class TemporaryFiles {
    private static final String PREFIX = "forewarn-";
    private static final String OWNER = "owner";
    private static final int ID = 16;

    private static FileChannel held;
    private static String id;

    private TemporaryFiles() {}

    /** What the names of this process's temporary files begin with. */
    public static synchronized String prefix() throws IOException {
        if (held == null || !held.isOpen()) {
            take(folder());
        }
        return PREFIX + id + "-";
    }

    /** Deletes what processes have left behind that run no more. What cannot be deleted stays. */
    public static void sweep() throws IOException {
        sweep(folder());
    }

    private static Path folder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static void take(Path folder) throws IOException {
        id = String.format(Locale.ROOT, "%016x", new SecureRandom().nextLong());
        // Locked before it has its name: else another process could find it and take it for one of a process that is
        // gone.
        Path draft = Files.createTempFile(folder, PREFIX, ".draft");
        held = FileChannel.open(draft, StandardOpenOption.WRITE);
        held.lock();
        Path owner = folder.resolve(PREFIX + id + "-" + OWNER);
        Files.move(draft, owner, StandardCopyOption.ATOMIC_MOVE);
        owner.toFile().deleteOnExit();
    }

    static void sweep(Path folder) throws IOException {
        try (DirectoryStream<Path> owners = Files.newDirectoryStream(folder, PREFIX + "[0-9a-f]*-" + OWNER)) {
            for (Path owner : owners) {
                sweepIfGone(folder, owner);
            }
        }
    }

    private static void sweepIfGone(Path folder, Path owner) {
        String name = owner.getFileName().toString();
        if (!name.matches(PREFIX + "[0-9a-f]{" + ID + "}-" + OWNER)) {
            return;
        }
        synchronized (TemporaryFiles.class) {
            // The lock is the process's: to open the file once more and close it would give it away.
            if (id != null && name.startsWith(PREFIX + id)) {
                return;
            }
        }
        String prefix = name.substring(0, name.length() - OWNER.length());
        try (FileChannel channel = FileChannel.open(owner, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                return;
            }
            try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, prefix + "*")) {
                for (Path file : left) {
                    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        } catch (IOException | OverlappingFileLockException notOurs) {
            // Another user's, or on its way out.
        }
    }
}
