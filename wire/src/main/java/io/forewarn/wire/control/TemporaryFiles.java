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
 * Names temporary files so that those of a killed process can be recognized and deleted. All names of a
 * process have the same prefix, and as long as the process runs it holds a file lock on one file with that prefix. The
 * process id is not enough: processes in different PID namespaces may share the directory.
 */
public final class TemporaryFiles {
    private static final String PREFIX = "forewarn-";
    private static final String OWNER = "owner";
    private static final int ID = 16;

    private static FileChannel held;
    private static String id;

    private TemporaryFiles() {}

    /** The prefix of this process's temporary files. */
    public static synchronized String prefix() throws IOException {
        if (held == null || !held.isOpen()) {
            take(folder());
        }
        return PREFIX + id + "-";
    }

    /** Deletes files of processes that no longer run. Files that cannot be deleted stay. */
    public static void sweep() throws IOException {
        sweep(folder());
    }

    private static Path folder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static void take(Path folder) throws IOException {
        id = String.format(Locale.ROOT, "%016x", new SecureRandom().nextLong());
        // Locked before it is renamed: otherwise another process could take it for a file of a process that has ended.
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
            // The lock belongs to the process: opening and closing the file again would release it.
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
            // Another user's file, or already deleted.
        }
    }
}
