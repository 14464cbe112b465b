package io.forewarn.bench;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The service's store without the service. */
final class BareStore implements AutoCloseable {
    private static final int ROWS_AT_ONCE = 1000;

    private final Store store;
    private final long epoch;
    private long seq;

    BareStore(Path folder) throws StoreException {
        this(SqliteStore.open(folder));
    }

    BareStore(Store opened) throws StoreException {
        store = opened;
        Store.Head head = store.claim();
        epoch = head.epoch();
        seq = head.seq();
    }

    Store.Limits limits() {
        return store.limits();
    }

    /** Writes a commit's rows; returns how long it took until they were durable. */
    long commit(Commit rows) throws StoreException {
        Commit commit = new Commit(++seq, epoch, rows.puts(), rows.deletes());
        long began = System.nanoTime();
        store.commit(commit);
        return System.nanoTime() - began;
    }

    /** Fills the store with what the service's holds, so that both write into the same. */
    void fill(SortedMap<String, byte[]> rows) throws StoreException {
        SortedMap<String, byte[]> some = new TreeMap<>();
        for (Map.Entry<String, byte[]> row : rows.entrySet()) {
            some.put(row.getKey(), row.getValue());
            if (some.size() == Math.min(ROWS_AT_ONCE, store.limits().operations() / 2)) {
                commit(new Commit(0, 0, some, List.of()));
                some = new TreeMap<>();
            }
        }
        commit(new Commit(0, 0, some, List.of()));
    }

    @Override
    public void close() {
        store.close();
    }
}
