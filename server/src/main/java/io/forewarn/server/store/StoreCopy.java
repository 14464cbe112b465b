package io.forewarn.server.store;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.server.settings.StoreSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Copies all records of one store into another, empty one: from a file to etcd, from etcd to a file, or to a file beside it
 * as a backup. An interrupted copy is recognized as incomplete: a mark stays until the last record is written.
 */
public final class StoreCopy {
    static final String MARK = "copying";

    private final Store from;
    private final Store to;
    private final Map<String, byte[]> batch = new TreeMap<>();
    private Head head;
    private long bytes;
    private long copied;

    private StoreCopy(Store from, Store to) {
        this.from = from;
        this.to = to;
    }

    /**
     * Copies and returns the number of records.
     *
     * @throws RefusedException if one of them cannot be used, or the target is not empty
     */
    public static long copy(StoreSettings source, StoreSettings target) {
        if (source.location().equals(target.location())
                && source.etcd().prefix().equals(target.etcd().prefix())) {
            throw new RefusedException(Problem.BAD_INPUT, "a store cannot be copied into itself");
        }
        if (!source.shared() && !Files.isDirectory(source.sqlite())) {
            throw new RefusedException(Problem.NOT_FOUND, "there is no store at " + source.sqlite());
        }
        try (Store from = StoreFactory.open(source)) {
            Head head = from.recover();
            if (head.seq() == 0) {
                throw new RefusedException(
                        Problem.CONFLICT, "there is nothing to copy: " + source.location() + " was never written to");
            }
            try (Store to = StoreFactory.open(target)) {
                return new StoreCopy(from, to).run(head, target.location());
            }
        } catch (StoreException problem) {
            throw new RefusedException(Problem.STORE_UNAVAILABLE, problem.getMessage());
        }
    }

    private long run(Head source, String target) throws StoreException {
        boolean[] empty = {true};
        to.scan("", "", 1, (key, value) -> empty[0] = false);
        if (!empty[0] || to.recover().seq() > 0) {
            throw new RefusedException(
                    Problem.CONFLICT, "the store " + target + " is not empty; copy into one that was never used");
        }
        do {
            head = to.claim();
        } while (head.epoch() < source.epoch());
        commit(Map.of(MARK, "a copy is under way".getBytes(StandardCharsets.UTF_8)), List.of());
        StoreException[] failed = new StoreException[1];
        from.scan("", "", Integer.MAX_VALUE, (key, value) -> {
            try {
                if (failed[0] == null) {
                    take(key, value);
                }
            } catch (StoreException problem) {
                failed[0] = problem;
            }
        });
        if (failed[0] != null) {
            throw failed[0];
        }
        flush();
        // Read again: a running cluster may have committed meanwhile, so that its log has later numbers.
        to.skipTo(Math.max(from.recover().seq(), head.seq()) + 1);
        head = to.recover();
        commit(Map.of(), List.of(MARK));
        return copied;
    }

    private void take(String key, byte[] value) throws StoreException {
        long size = key.getBytes(StandardCharsets.UTF_8).length + (long) value.length;
        if (batch.size() + 1 > to.limits().operations()
                || bytes + size > to.limits().bytes()) {
            flush();
        }
        batch.put(key, value);
        bytes += size;
        copied++;
    }

    private void flush() throws StoreException {
        if (!batch.isEmpty()) {
            commit(batch, List.of());
            batch.clear();
            bytes = 0;
        }
    }

    private void commit(Map<String, byte[]> puts, List<String> deletes) throws StoreException {
        to.commit(Commit.of(head.seq() + 1, head.epoch(), puts, deletes));
        head = new Head(head.seq() + 1, head.epoch());
    }
}
