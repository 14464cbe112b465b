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
 * visitor: a slow visitor keeps no old snapshot alive. Up to {@link Reader#PAGE_BYTES} a scan is therefore of one moment; a
 * longer one is of one moment page by page.
 *
 * <p>After an I/O error nobody knows what reached the disk, and the kernel may have forgotten pages it could not write
 * although they can still be read. So nothing is written any more through the connection that met it. {@link #recover} closes
 * all, writes the log over itself so that every page of it is dirty and synced again, and only then lets SQLite read it.
 * Opening does the same, because a process may have died between writing and syncing.
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
    private final Deque<Reader> idle = new ConcurrentLinkedDeque<>();
    private Writer writer;
    private boolean closed;

    private SqliteStore(StoreFile file, StoreLock lock) {
        this.file = file;
        this.lock = lock;
    }

    /**
     * Opens the store, or makes it.
     *
     * @param path a folder, or a file if its name ends in {@code .db}
     * @throws StoreException rejected if it is in use or cannot be written, unreadable if it is damaged, of a newer release, or
     *     something else
     */
    public static SqliteStore open(Path path) throws StoreException {
        StoreFile file = StoreFile.at(path);
        file.makeFolder();
        StoreLock lock = StoreLock.take(file);
        SqliteStore store = new SqliteStore(file, lock);
        try {
            NativeLibrary.load(file.natives());
            file.makeIfMissing();
            store.reopen();
            store.writer.checkWhole();
            return store;
        } catch (StoreException | RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public synchronized Head claim() throws StoreException {
        return writer().claim();
    }

    @Override
    public synchronized void commit(Commit commit) throws StoreException {
        if (commit.operations() > LIMITS.operations() || commit.bytes() > LIMITS.bytes()) {
            throw new StoreException(
                    Kind.REJECTED,
                    "the commit has " + commit.operations() + " operations and " + commit.bytes() + " bytes; at most "
                            + LIMITS.operations() + " and " + LIMITS.bytes() + " are taken at once");
        }
        writer().commit(commit);
    }

    @Override
    public synchronized void skipTo(long seq) throws StoreException {
        writer().skipTo(seq);
    }

    @Override
    public synchronized Head recover() throws StoreException {
        if (closed) {
            throw notOpen();
        }
        try {
            return reopen();
        } catch (StoreException e) {
            // Whatever stood in the way, what became of the last commit is still not known.
            throw e.kind() == Kind.UNREADABLE ? e : new StoreException(Kind.UNCERTAIN, e.getMessage(), e);
        }
    }

    private Head reopen() throws StoreException {
        connections.writeLock().lock();
        try {
            closeConnections();
            file.check();
            file.rewriteLog();
            Writer opened = Writer.open(file);
            try {
                opened.emptyLog();
                Head head = opened.head();
                writer = opened;
                return head;
            } finally {
                if (writer == null) {
                    opened.close();
                }
            }
        } finally {
            connections.writeLock().unlock();
        }
    }

    private Writer writer() throws StoreException {
        if (writer == null || closed) {
            throw notOpen();
        }
        if (writer.isSpent()) {
            throw new StoreException(
                    Kind.REJECTED, "the store " + file + " failed and must be recovered before it is written again");
        }
        return writer;
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
            Page page = read(rest, left);
            page.rows().forEach(row -> visitor.accept(row.key(), row.value()));
            left -= page.rows().size();
            rest = page.rest();
        }
    }

    private Page read(KeyRange range, int limit) throws StoreException {
        connections.readLock().lock();
        try {
            if (writer == null) {
                throw notOpen();
            }
            Reader reader = idle.poll();
            if (reader == null) {
                reader = Reader.open(file);
            }
            try {
                Page page = reader.read(range, limit);
                idle.push(reader);
                return page;
            } catch (StoreException e) {
                reader.close();
                throw e;
            }
        } finally {
            connections.readLock().unlock();
        }
    }

    /** Readers first: the last connection to go folds the log into the file, and only the writer may. */
    private void closeConnections() {
        for (Reader reader = idle.poll(); reader != null; reader = idle.poll()) {
            reader.close();
        }
        if (writer != null) {
            writer.close();
            writer = null;
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
            lock.release();
        }
    }
}
