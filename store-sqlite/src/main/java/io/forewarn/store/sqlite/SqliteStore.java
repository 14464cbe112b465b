package io.forewarn.store.sqlite;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;

/**
 * Stores records in one SQLite file, which it locks for the lifetime of the process.
 *
 * <p>One connection writes; scans use read-only ones. In WAL mode neither waits for the other. A commit returns after
 * the log was synced to disk. A scan reads a page of records in one transaction, ends it, and only then passes them to its
 * visitor: a slow visitor keeps no old snapshot alive. Up to {@link ReadConnection#PAGE_BYTES} a scan is therefore
 * consistent; a longer one is consistent page by page.
 *
 * <p>After an I/O error it is unknown what reached the disk, and the kernel may have dropped pages it could not write
 * although they can still be read. So nothing more is written through the connection that met the error. {@link
 * #recover} closes all connections, overwrites the log with its own contents so that every page is dirty and synced
 * again, and only then lets SQLite read it. Opening does the same, because a process may have died between writing and
 * syncing.
 *
 * <p>Losses that SQLite does not report are detected: before it reads the log, by {@link WalCheck}; before the first
 * write, by {@link AcknowledgedHead}; and at every commit, by checking that the files are still the ones that were
 * opened. A deleted file accepts writes as before, but they are gone after the next start.
 */
public final class SqliteStore implements Store {
    /**
     * Generous, but a commit still fits into the page cache and a small part of the log, so that it delays the
     * approvals after it only for a fraction of a second.
     */
    static final Limits LIMITS = new Limits(4096, 16 << 20);

    private final StoreFile file;
    private final StoreLock lock;
    private final ReadWriteLock connections = new ReentrantReadWriteLock();
    private final Deque<ReadConnection> idle = new ConcurrentLinkedDeque<>();
    private final AcknowledgedHead acknowledged;
    private WriteConnection writeConnection;
    private Object database;
    private Object log;
    private boolean closed;

    private SqliteStore(StoreFile file, StoreLock lock, AcknowledgedHead acknowledged) {
        this.file = file;
        this.lock = lock;
        this.acknowledged = acknowledged;
    }

    /** Initializes the driver before a store is opened, so that this can be done on another thread. */
    public static void preload() {
        ConnectionSetup.preload();
        NativeLibrary.preload();
    }

    /**
     * Opens the store, or creates it.
     *
     * @param path a directory, or a file if its name ends in {@code .db}
     * @throws StoreException rejected if it is in use or cannot be written; unreadable if it is damaged, has lost
     *     acknowledged commits, or was written by a newer release or another program
     */
    public static SqliteStore open(Path path) throws StoreException {
        SqliteStore store = locked(path);
        try {
            store.file.makeIfMissing(store.acknowledged);
            store.reopen(true);
            store.writeConnection.checkWhole();
            return store;
        } catch (StoreException | RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    private static SqliteStore locked(Path path) throws StoreException {
        StoreFile file = StoreFile.at(path);
        file.makeFolder();
        StoreLock lock = StoreLock.take(file);
        try {
            NativeLibrary.load(file.natives());
            return new SqliteStore(file, lock, file.acknowledged());
        } catch (StoreException | RuntimeException | Error e) {
            lock.release();
            throw e;
        }
    }

    /**
     * Acknowledged commits that are lost.
     *
     * @param first the first lost commit
     * @param last the last commit known to be lost; less than {@code first} if the numbers are unknown
     */
    public record Loss(long first, long last) {}

    /**
     * Lets a store continue without acknowledged commits it lost, or empty if it is missing, as the operator decided. A
     * damaged log is kept beside it, and the numbers of the lost commits are not reused.
     *
     * @throws StoreException rejected if nothing is lost; else as {@link #open}
     */
    public static Loss acceptLoss(Path path) throws StoreException {
        SqliteStore store = locked(path);
        try {
            if (!store.isLossy()) {
                throw new StoreException(
                        Kind.REJECTED, "the store " + store.file + " is complete: there is no loss to accept");
            }
            Head last = store.acknowledged.last().orElse(new Head(0, 0));
            store.file.keepDamagedLog();
            store.file.forget(store.acknowledged);
            store.file.makeIfMissing(store.acknowledged);
            Head found = store.reopen(false);
            store.writeConnection.checkWhole();
            for (Head head = found; head.epoch() < last.epoch(); ) {
                head = store.claim();
            }
            store.skipTo(Math.max(found.seq(), last.seq()));
            return new Loss(found.seq() + 1, last.seq());
        } finally {
            store.close();
        }
    }

    private boolean isLossy() throws StoreException {
        return file.isLost(acknowledged)
                || file.exists()
                        && (file.dropsAcknowledged()
                                || acknowledged.last().isPresent() && acknowledged.isBeyond(ReadConnection.head(file)));
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public synchronized Head claim() throws StoreException {
        checkPresent(Kind.REJECTED);
        Head head = writer().claim();
        written(head);
        return head;
    }

    @Override
    public synchronized void commit(Commit commit) throws StoreException {
        if (commit.operations() > LIMITS.operations() || commit.bytes() > LIMITS.bytes()) {
            throw new StoreException(
                    Kind.REJECTED,
                    "the commit has " + commit.operations() + " operations and " + commit.bytes() + " bytes; at most "
                            + LIMITS.operations() + " and " + LIMITS.bytes() + " are taken at once");
        }
        checkPresent(Kind.REJECTED);
        writer().commit(commit);
        written(new Head(commit.seq(), commit.epoch()));
    }

    @Override
    public synchronized void skipTo(long seq) throws StoreException {
        checkPresent(Kind.REJECTED);
        writer().skipTo(seq);
        written(writer().head());
    }

    /** A commit to a file that was deleted meanwhile is not durable and must not be acknowledged. */
    private void written(Head head) throws StoreException {
        checkPresent(Kind.UNCERTAIN);
        acknowledged.acknowledged(head);
    }

    @Override
    public synchronized void check() throws StoreException {
        if (writeConnection != null && !closed && !writeConnection.isSpent()) {
            checkPresent(Kind.REJECTED);
        }
    }

    /** @param kind the kind of the failure, if the file is not the one that was opened */
    private void checkPresent(Kind kind) throws StoreException {
        writer();
        if (database != null && !database.equals(StoreFile.identity(file.database()))) {
            acknowledged.leaveBehind();
            throw new StoreException(
                    kind,
                    "the store " + file
                            + " was deleted, moved away or replaced while it was in use. Put the file back, or restore it from a copy and start the service again");
        }
        if (log == null) {
            log = StoreFile.identity(file.log());
        } else if (!log.equals(StoreFile.identity(file.log()))) {
            // SQLite has it open and checkpoints it into the file on close.
            reopen(true);
        }
    }

    @Override
    public synchronized Head recover() throws StoreException {
        if (closed) {
            throw notOpen();
        }
        try {
            return reopen(true);
        } catch (StoreException e) {
            // Whatever the reason, the outcome of the last commit is still unknown.
            throw e.kind() == Kind.UNREADABLE ? e : new StoreException(Kind.UNCERTAIN, e.getMessage(), e);
        }
    }

    /** @param careful whether it must contain all acknowledged commits */
    private Head reopen(boolean careful) throws StoreException {
        connections.writeLock().lock();
        try {
            // Before anything is closed: a deleted file can still be saved while it is open.
            file.check();
            closeConnections();
            if (careful) {
                checkWholeness();
            }
            file.rewriteLog();
            WriteConnection opened = WriteConnection.open(file);
            try {
                opened.emptyLog();
                Head head = opened.head();
                database = StoreFile.identity(file.database());
                log = StoreFile.identity(file.log());
                writeConnection = opened;
                return head;
            } finally {
                if (writeConnection == null) {
                    opened.close();
                }
            }
        } finally {
            connections.writeLock().unlock();
        }
    }

    /** Called while only this read-only connection is open, which leaves the log unchanged. */
    private void checkWholeness() throws StoreException {
        file.checkLog();
        if (acknowledged.last().isPresent()) {
            file.checkHead(ReadConnection.head(file), acknowledged);
        }
    }

    private WriteConnection writer() throws StoreException {
        if (writeConnection == null || closed) {
            throw notOpen();
        }
        if (writeConnection.isSpent()) {
            throw new StoreException(
                    Kind.REJECTED, "the store " + file + " failed and must be recovered before it is written again");
        }
        return writeConnection;
    }

    private StoreException notOpen() {
        return new StoreException(Kind.REJECTED, "the store " + file + " is not open");
    }

    @Override
    public void scan(String prefix, String after, int limit, BiConsumer<String, byte[]> visitor) throws StoreException {
        visit(KeyRange.upwards(prefix, after), limit, visitor);
    }

    @Override
    public void scanDown(String prefix, String before, int limit, BiConsumer<String, byte[]> visitor)
            throws StoreException {
        visit(KeyRange.downwards(prefix, before), limit, visitor);
    }

    private void visit(KeyRange range, int limit, BiConsumer<String, byte[]> visitor) throws StoreException {
        int left = limit;
        KeyRange rest = range;
        while (left > 0 && rest != null) {
            RecordPage recordPage = read(rest, left);
            recordPage.rows().forEach(row -> visitor.accept(row.key(), row.value()));
            left -= recordPage.rows().size();
            rest = recordPage.rest();
        }
    }

    private RecordPage read(KeyRange range, int limit) throws StoreException {
        connections.readLock().lock();
        try {
            if (writeConnection == null) {
                throw notOpen();
            }
            ReadConnection readConnection = idle.poll();
            if (readConnection == null) {
                readConnection = ReadConnection.open(file);
            }
            try {
                RecordPage recordPage = readConnection.read(range, limit);
                idle.push(readConnection);
                return recordPage;
            } catch (StoreException e) {
                readConnection.close();
                throw e;
            }
        } finally {
            connections.readLock().unlock();
        }
    }

    /**
     * Closes readers first: the last connection to close checkpoints the log into the file, and only the writer may do
     * that.
     */
    private void closeConnections() {
        for (ReadConnection readConnection = idle.poll(); readConnection != null; readConnection = idle.poll()) {
            readConnection.close();
        }
        if (writeConnection != null) {
            writeConnection.close();
            writeConnection = null;
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        connections.writeLock().lock();
        try {
            closeConnections();
        } finally {
            connections.writeLock().unlock();
            if (database != null && StoreFile.identity(file.database()) == null) {
                acknowledged.leaveBehindForGood();
            }
            acknowledged.close();
            lock.release();
        }
    }
}
