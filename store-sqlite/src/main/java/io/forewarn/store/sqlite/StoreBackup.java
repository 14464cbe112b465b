package io.forewarn.store.sqlite;

import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.sqlite.SQLiteConnection;

/**
 * Copies a store into one file while a server uses it, and puts such a file back in place of a store that nobody uses.
 *
 * <p>A backup is SQLite's own: it reads one snapshot through a read-only connection, which neither waits for the writer
 * nor makes it wait. It takes no lock, because the server has it.
 */
public final class StoreBackup {
    /** All pages in one step, so that commits in the meantime do not make it begin again. */
    private static final int ALL_PAGES = -1;

    private static final int PAUSE_MILLIS = 100;
    private static final int TRIES = 100;
    private static final String REPLACED = "-before-restore";

    private StoreBackup() {}

    /**
     * Writes the store into a file that only this user can read, and returns the last commit in it.
     *
     * @param store a directory, or a file if its name ends in {@code .db}
     * @throws StoreException rejected if there is no store, or the file exists or cannot be written
     */
    public static Head take(Path store, Path backup) throws StoreException {
        StoreFile source = StoreFile.at(store);
        if (!source.exists()) {
            throw new StoreException(Kind.REJECTED, "there is no store at " + source);
        }
        Path target = backup.toAbsolutePath().normalize();
        if (Files.exists(target)) {
            throw new StoreException(Kind.REJECTED, "the file " + target + " exists; choose another name");
        }
        Path part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".part");
        Path natives = part.resolveSibling(part.getFileName() + "-native");
        try {
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            NativeLibrary.load(natives);
            copy(source, part);
            Head head = checked(part);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            return head;
        } catch (IOException e) {
            throw unwritable(target, e);
        } finally {
            remove(part, natives);
        }
    }

    private static void copy(StoreFile source, Path part) throws StoreException, IOException {
        Connection connection = null;
        try {
            connection = ConnectionSetup.reading(source);
            source.checkLayout(connection);
            connection
                    .unwrap(SQLiteConnection.class)
                    .getDatabase()
                    .backup("main", part.toString(), null, PAUSE_MILLIS, TRIES, ALL_PAGES);
        } catch (SQLException e) {
            throw SqliteErrors.of(e, source).whileReading();
        } finally {
            ConnectionSetup.close(connection);
        }
        try (FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
            file.force(true);
        }
    }

    /** Checks that the file is a whole store of a layout that this release knows, and returns its last commit. */
    private static Head checked(Path copy) throws StoreException {
        StoreFile file = StoreFile.single(copy);
        WriteConnection connection = WriteConnection.open(file);
        try {
            connection.checkWhole();
            return connection.head();
        } finally {
            connection.close();
        }
    }

    /**
     * Puts a backup in place of a store. The replaced file stays beside it, under another name.
     *
     * @return the last commit of the backup; the store continues from there after {@link SqliteStore#acceptLoss} if it
     *     acknowledged later ones
     * @throws StoreException rejected if the store is in use; unreadable if the backup is not a whole store
     */
    public static Head restore(Path backup, Path store) throws StoreException {
        if (!Files.isRegularFile(backup)) {
            throw new StoreException(Kind.REJECTED, "there is no backup at " + backup);
        }
        StoreFile target = StoreFile.at(store);
        target.makeFolder();
        StoreLock lock = StoreLock.take(target);
        try {
            NativeLibrary.load(target.natives());
            Path part = target.beside("-new");
            Files.deleteIfExists(part);
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.copy(backup, part, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-------"));
            Head head = checked(part);
            try (FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
                file.force(true);
            }
            if (target.exists()) {
                moveAside(target);
            }
            Files.move(part, target.database(), StandardCopyOption.ATOMIC_MOVE);
            StoreFile.sync(target.database().getParent());
            return head;
        } catch (IOException e) {
            throw unwritable(target.database(), e);
        } finally {
            lock.release();
        }
    }

    /** The last commit that the store acknowledged before; empty if none is known. */
    public static Optional<Head> acknowledged(Path store) throws StoreException {
        AcknowledgedHead acknowledged = StoreFile.at(store).acknowledged();
        try {
            return acknowledged.last();
        } finally {
            acknowledged.close();
        }
    }

    /** With its log, so that it still can be opened under its new name. */
    private static void moveAside(StoreFile target) throws IOException {
        for (String suffix : new String[] {"", "-wal", "-shm"}) {
            Path from = suffix.isEmpty() ? target.database() : target.beside(suffix);
            if (Files.exists(from)) {
                Files.move(from, target.beside(REPLACED + suffix), StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.deleteIfExists(target.beside(REPLACED + suffix));
            }
        }
    }

    private static void remove(Path part, Path natives) {
        try {
            for (String suffix : new String[] {"", "-wal", "-shm", "-journal"}) {
                Files.deleteIfExists(part.resolveSibling(part.getFileName() + suffix));
            }
            NativeLibrary.sweep(natives);
            Files.deleteIfExists(natives);
        } catch (IOException e) {
            // Harmless: it only takes some space.
            return;
        }
    }

    private static StoreException unwritable(Path file, IOException e) {
        return new StoreException(
                Kind.REJECTED,
                "the file " + file + " cannot be written (" + FileErrors.why(e)
                        + "). Its folder must exist, be writable for this user and have free space",
                e);
    }
}
