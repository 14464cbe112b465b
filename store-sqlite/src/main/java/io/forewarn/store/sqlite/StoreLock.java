package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * Prevents a second process from using the store as long as this one runs, however it ends: it is an operating system
 * lock. The file contains the holder's process id and is never deleted, because two processes could then lock two files
 * of the same name.
 */
final class StoreLock {
    // File locks belong to the process: closing any channel on a locked file would unlock it, so no file may be opened
    // twice in this process.
    private static final Set<Path> HELD_HERE = new HashSet<>();

    private final Path path;
    private final FileChannel channel;

    private StoreLock(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static StoreLock take(StoreFile file) throws StoreException {
        synchronized (HELD_HERE) {
            Path path = file.lock();
            if (HELD_HERE.contains(path)) {
                throw inUse(file, "this process itself");
            }
            StoreLock lock = new StoreLock(path, lock(file, path));
            HELD_HERE.add(path);
            return lock;
        }
    }

    private static FileChannel lock(StoreFile file, Path path) throws StoreException {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            if (channel.tryLock() == null) {
                String holder = Files.readString(path).strip();
                throw inUse(file, holder.isEmpty() ? "another process" : "process " + holder);
            }
            signed(channel);
            return channel;
        } catch (IOException e) {
            close(channel);
            throw new StoreException(
                    Kind.REJECTED,
                    "the store " + file + " cannot be locked (" + FileErrors.why(e)
                            + "). Its directory must be writable for this user",
                    e);
        } catch (StoreException e) {
            close(channel);
            throw e;
        }
    }

    /** Writes this process's id into the file. The lock works without it if the disk is full. */
    private static void signed(FileChannel channel) {
        try {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(UTF_8)), 0);
        } catch (IOException e) {
            return;
        }
    }

    private static StoreException inUse(StoreFile file, String holder) {
        return new StoreException(
                Kind.REJECTED,
                "the store " + file + " is in use by " + holder
                        + ". Stop that one, or choose another store with --store");
    }

    void release() {
        synchronized (HELD_HERE) {
            close(channel);
            HELD_HERE.remove(path);
        }
    }

    private static void close(FileChannel channel) {
        if (channel == null) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is closed in any case, and the lock released.
            return;
        }
    }
}
