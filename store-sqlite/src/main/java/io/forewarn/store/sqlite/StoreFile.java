package io.forewarn.store.sqlite;

import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Manages the database file and the files beside it, and checks them before SQLite opens them. */
final class StoreFile {
    /** "Fwrn": identifies the database as Forewarn's. */
    static final int APPLICATION = 0x4677726e;

    /** The layout of the tables. Records have their own formats. */
    static final int LAYOUT = 1;

    private static final String NAME = "forewarn.db";
    private static final int COPY_BYTES = 1 << 20;

    private final Path database;

    private StoreFile(Path database) {
        this.database = database;
    }

    static StoreFile at(Path path) throws StoreException {
        Path absolute = path.toAbsolutePath().normalize();
        Path database = absolute.getFileName() != null
                        && absolute.getFileName().toString().endsWith(".db")
                ? absolute
                : absolute.resolve(NAME);
        if (Files.isDirectory(database)) {
            throw new StoreException(
                    Kind.REJECTED, "the store " + database + " is a directory; a file was expected there");
        }
        return new StoreFile(real(database));
    }

    /** A store under exactly this name, whatever it ends in. */
    static StoreFile single(Path database) {
        return new StoreFile(database.toAbsolutePath());
    }

    /** Resolves links, because SQLite keeps the log beside the file itself, not beside a link to it. */
    private static Path real(Path database) throws StoreException {
        try {
            return Files.exists(database) && Files.isSymbolicLink(database) ? database.toRealPath() : database;
        } catch (IOException e) {
            throw new StoreFile(database).unusable(e);
        }
    }

    Path database() {
        return database;
    }

    /** The directory for SQLite's native library, private to the holder of the lock. */
    Path natives() {
        return beside("-native");
    }

    Path log() {
        return beside("-wal");
    }

    /** The last acknowledged commit. */
    AcknowledgedHead acknowledged() throws StoreException {
        try {
            return AcknowledgedHead.at(beside("-acknowledged"));
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** Identifies a file beyond its name; null if there is none. */
    static Object identity(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    Path beside(String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }

    /** The lock file, by its real path, so that a link cannot bypass the lock. */
    Path lock() throws StoreException {
        try {
            Path real = Files.exists(database)
                    ? database.toRealPath()
                    : database.getParent().toRealPath().resolve(database.getFileName());
            return real.resolveSibling(real.getFileName() + ".lock");
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    void makeFolder() throws StoreException {
        Path folder = database.getParent();
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, mode("rwx------"));
                for (Path made = folder; made.getParent() != null; made = made.getParent()) {
                    sync(made.getParent());
                }
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /**
     * Creates an empty store under another name and renames it when it is complete. So an empty file is never an unfinished
     * new store: its contents were lost.
     */
    void makeIfMissing(AcknowledgedHead acknowledged) throws StoreException {
        if (Files.exists(database)) {
            return;
        }
        if (isLost(acknowledged)) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the store " + this + " is missing, although there was one"
                            + acknowledged
                                    .last()
                                    .map(head -> ", up to commit " + head.seq())
                                    .orElse("") + ". Restore the file, or begin with an empty store: "
                            + acceptLoss());
        }
        if (Files.exists(log())) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the store " + this + " is missing, but its log " + log()
                            + " exists. Restore the file, or move the log away to begin with an empty store");
        }
        StoreFile made = new StoreFile(beside("-new"));
        try {
            Files.deleteIfExists(made.database);
            Files.deleteIfExists(made.log());
            Files.createFile(made.database, mode("rw-------"));
            made.fill();
            Files.move(made.database, database, StandardCopyOption.ATOMIC_MOVE);
            sync(database.getParent());
        } catch (IOException e) {
            throw unusable(e);
        } catch (SQLException e) {
            throw SqliteErrors.of(e, this).whileReading();
        }
    }

    private void fill() throws SQLException, IOException {
        Connection connection = ConnectionSetup.writing(this);
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("PRAGMA application_id = " + APPLICATION);
            statement.execute("PRAGMA user_version = " + LAYOUT);
            // Not WITHOUT ROWID: there a record over 1 kB takes a page of its own, four times the space of a fleet.
            statement.execute(
                    "CREATE TABLE record (key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL)");
            statement.execute("CREATE TABLE head (seq INTEGER NOT NULL, epoch INTEGER NOT NULL)");
            statement.execute("INSERT INTO head (seq, epoch) VALUES (0, 0)");
            statement.execute("COMMIT");
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        } finally {
            ConnectionSetup.close(connection);
        }
        try (FileChannel file = FileChannel.open(database, StandardOpenOption.WRITE)) {
            file.force(true);
        }
    }

    boolean exists() {
        return Files.exists(database);
    }

    /** Whether the file is missing although there was one. */
    boolean isLost(AcknowledgedHead acknowledged) {
        return !exists() && Files.exists(acknowledged.path());
    }

    boolean dropsAcknowledged() throws StoreException {
        try {
            return WalCheck.dropsAcknowledged(log());
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /**
     * Checks that SQLite will read all acknowledged commits from the log. Called before SQLite opens it and cuts a
     * damaged log.
     */
    void checkLog() throws StoreException {
        if (dropsAcknowledged()) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the log " + log() + " is damaged, and acknowledged commits follow the damaged place. "
                            + lossCure());
        }
    }

    /** Checks that no acknowledged commit is missing. */
    void checkHead(Head found, AcknowledgedHead acknowledged) throws StoreException {
        if (acknowledged.isBeyond(found)) {
            Head last = acknowledged.last().orElseThrow();
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the store " + this + " ends at commit " + found.seq() + " of writer " + found.epoch()
                            + ", but commit " + last.seq() + " of writer " + last.epoch()
                            + " was acknowledged: its log is damaged, or the file was replaced by an older one. "
                            + lossCure());
        }
    }

    private String lossCure() {
        return "Nothing was changed. Restore it from a copy, or continue without the lost commits: " + acceptLoss();
    }

    private String acceptLoss() {
        return "forewarn store accept-loss sqlite:" + database;
    }

    /** Keeps a damaged log under another name, because it may still be readable by other means. */
    void keepDamagedLog() throws StoreException {
        try {
            if (Files.exists(log()) && Files.size(log()) > 0) {
                Files.copy(log(), beside("-wal-damaged"), StandardCopyOption.REPLACE_EXISTING);
            }
            if (!exists()) {
                Files.deleteIfExists(log());
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    void forget(AcknowledgedHead acknowledged) throws StoreException {
        try {
            acknowledged.forget();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** Checks for what SQLite would not report: it takes an empty file for a new database, and opens a read-only one. */
    void check() throws StoreException {
        try {
            if (!Files.exists(database)) {
                throw new StoreException(Kind.UNREADABLE, "the store " + this + " is missing. Restore the file");
            }
            if (Files.size(database) == 0) {
                throw new StoreException(
                        Kind.UNREADABLE, "the store " + this + " is empty. " + SqliteErrors.CURE_FOR_DAMAGE);
            }
            if (!Files.isWritable(database) || !Files.isWritable(database.getParent())) {
                throw new StoreException(
                        Kind.REJECTED,
                        "the store " + this
                                + " cannot be written: its file, folder or disk is read-only. Make it writable for this user");
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** Checks that this is our database, with a layout that this release supports. */
    void checkLayout(Connection connection) throws SQLException, StoreException {
        long application = ConnectionSetup.number(connection, "PRAGMA application_id");
        if (application != APPLICATION) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the file " + this + " is a database of another program (application id " + application
                            + "). Choose another path with --store");
        }
        long layout = ConnectionSetup.number(connection, "PRAGMA user_version");
        if (layout > LAYOUT) {
            throw new StoreException(
                    Kind.UNREADABLE,
                    "the store " + this + " has layout " + layout
                            + ", made by a newer release; this release knows layout " + LAYOUT
                            + ". Run the newer release, or restore a copy made before the upgrade");
        }
    }

    /**
     * Overwrites the log with its own contents and syncs it: all that can be read of it is then on disk, even after a
     * failed sync.
     */
    void rewriteLog() throws StoreException {
        if (!Files.exists(log())) {
            return;
        }
        try (FileChannel file = FileChannel.open(log(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(COPY_BYTES);
            long at = 0;
            while (file.read(bytes.clear(), at) > 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    at += file.write(bytes, at);
                }
            }
            file.force(true);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> mode(String mode) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    }

    private StoreException unusable(IOException e) {
        return new StoreException(
                Kind.REJECTED,
                "the store " + this + " cannot be used (" + FileErrors.why(e)
                        + "). Its directory must exist, be writable for this user and have free space",
                e);
    }

    @Override
    public String toString() {
        return database.toString();
    }
}
