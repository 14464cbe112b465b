package io.forewarn.bench;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.store.sqlite.SqliteStore;
import java.nio.file.Path;

/** The service's store without the service. */
final class BareStore implements AutoCloseable {
    private final Store store;
    private final long epoch;
    private long seq;

    BareStore(Path folder) throws StoreException {
        store = SqliteStore.open(folder);
        Store.Head head = store.claim();
        epoch = head.epoch();
        seq = head.seq();
    }

    /** Writes a commit's rows; returns how long it took until they were durable. */
    long commit(Commit rows) throws StoreException {
        Commit commit = new Commit(++seq, epoch, rows.puts(), rows.deletes());
        long began = System.nanoTime();
        store.commit(commit);
        return System.nanoTime() - began;
    }

    @Override
    public void close() {
        store.close();
    }
}
