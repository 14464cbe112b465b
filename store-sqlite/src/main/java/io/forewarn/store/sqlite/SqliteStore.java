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
 * Records in one SQLite file, locked for the life of the process.
 *
 * <p>One connection writes; scans use others that only read. In WAL mode neither waits for the other. A commit returns after
 * the log was synced to disk. A scan reads a page of records in one transaction, lets go, and only then shows them to its
 * visitor: a slow visitor keeps no old snapshot alive. Up to {@link ReadConnection#PAGE_BYTES} a scan is therefore of one moment; a
 * longer one is of one moment page by page.
 *
 * <p>After an I/O error nobody knows what reached the disk, and the kernel may have forgotten pages it could not write
 * although they can still be read. So nothing is written any more through the connection that met it. {@link #recover} closes
 * all, writes the log over itself so that every page of it is dirty and synced again, and only then lets SQLite read it.
 * Opening does the same, because a process may have died between writing and syncing.
 *
 * <p>What SQLite would lose without a word is noticed: before it reads the log, by {@link WalCheck}; before the first write, by
 * {@link AcknowledgedHead}; and at every commit, by looking whether the files are still the ones that were opened. A deleted file takes
 * writes as before, and nothing of them is there after the next start.
 */
public final class SqliteStore implements Store {
    /**
     * Generous, and still one commit stays within the page cache and a small part of the log, so that it holds up the
     * approvals behind it for a fraction of a second only.
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

    /**
     * Opens the store, or makes it.
     *
     * @param path a folder, or a file if its name ends in {@code .db}
     * @throws StoreException rejected if it is in use or cannot be written, unreadable if it is damaged, has lost what was
     *     acknowledged, is of a newer release, or something else
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
     * What was acknowledged and is not there any more.
     *
     * @param first the first lost commit
     * @param last the last one that is known to be lost; less than the first if none is known by its number
     */
    public record Loss(long first, long last) {}

    /**
     * Takes the operator's word that a store which lost what was acknowledged is to go on without, or empty if it is gone. A damaged log is kept
     * beside it, and the numbers of the lost commits are not used again.
     *
     * @throws StoreException rejected if nothing is lost; else as {@link #open}
     */
    public static Loss acceptLoss(Path path) throws StoreException {
        SqliteStore store = locked(path);
        try {
            if (!store.isLossy()) {
                throw new StoreException(
                        Kind.REJECTED, "the store " + store.file + " is whole: there is no loss to accept");
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

    /** What went into a file that was deleted meanwhile is not durable: it must not be acknowledged. */
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

    /** @param kind of the failure, if the file is not the one that was opened */
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
            // SQLite has it open and folds it into the file when it is closed.
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
            // Whatever stood in the way, what became of the last commit is still not known.
            throw e.kind() == Kind.UNREADABLE ? e : new StoreException(Kind.UNCERTAIN, e.getMessage(), e);
        }
    }

    /** @param careful whether it must hold all that was acknowledged */
    private Head reopen(boolean careful) throws StoreException {
        connections.writeLock().lock();
        try {
            // Before anything is closed: whoever has a deleted file open can still save it.
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

    /** While no connection is open but this one that only reads, which leaves the log as it is. */
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

    /** Readers first: the last connection to go folds the log into the file, and only the writer may. */
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
