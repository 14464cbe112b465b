package io.forewarn.core.engine;

import java.util.function.BiConsumer;

/**
 * Stores records: ordered keys, values as bytes, atomic commits. One writer uses it; scans may run on other threads at the
 * same time. Every implementation extends {@code StoreContract}.
 */
public interface Store extends AutoCloseable {
    /** What a single commit may hold. */
    record Limits(int operations, int bytes) {}

    /** The last commit and the newest writer. For a store never written to, both are 0. */
    record Head(long seq, long epoch) {}

    Limits limits();

    /** Makes the caller the writer: the epoch goes up, durably, and every earlier writer is refused from now on. */
    Head claim() throws StoreException;

    /**
     * Makes a commit durable before it returns.
     *
     * @throws StoreException rejected: nothing was written; uncertain: call {@link #recover}; fenced: another writer has taken over
     */
    void commit(Commit commit) throws StoreException;

    /**
     * Reopens the store after an uncertain commit and returns its head. Everything that can be read afterwards
     * is durable.
     */
    Head recover() throws StoreException;

    /**
     * Checks that the store is still where it was opened. Cheap, and without a network request: called now and then while
     * nothing is written.
     *
     * @throws StoreException if it is gone
     */
    default void check() throws StoreException {}

    /**
     * Skips commit numbers: the next commit of the newest writer is one more than this. For a copy of another store, whose
     * records refer to later commits than the copy has made.
     */
    void skipTo(long seq) throws StoreException;

    /** Visits the records whose key begins with {@code prefix} and comes after {@code after}, in key order, at most {@code limit}. */
    void scan(String prefix, String after, int limit, BiConsumer<String, byte[]> visitor) throws StoreException;

    /** The same from the last key downwards, beginning before {@code before}. */
    void scanDown(String prefix, String before, int limit, BiConsumer<String, byte[]> visitor) throws StoreException;

    @Override
    void close();
}
