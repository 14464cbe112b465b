package io.forewarn.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.forewarn.core.engine.StoreException;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the keys from {@code low}, inclusive, to {@code high}, exclusive, page by page as of one revision: that of
 * the first page. The page size adapts to the size of the records. If the revision is compacted before the end, which
 * takes minutes, the rest is read as of a newer one.
 */
final class RangeReader {
    private static final int FIRST = 64;
    private static final int MOST = 2048;
    private static final int GOOD_BYTES = 2 << 20;

    private final EtcdConnection connection;
    private final boolean strict;
    private long revision;
    private int length = FIRST;

    RangeReader(EtcdConnection connection) {
        this(connection, false);
    }

    private RangeReader(EtcdConnection connection, boolean strict) {
        this.connection = connection;
        this.strict = strict;
    }

    /** A reader that fails rather than mix revisions. */
    static RangeReader strict(EtcdConnection connection) {
        return new RangeReader(connection, true);
    }

    /** The revision that is read; 0 before the first page. */
    long revision() {
        return revision;
    }

    /** The first records of the range, at least one if there is any. To continue, read from after the last one. */
    List<KeyValue> read(ByteSequence low, ByteSequence high, int limit) throws StoreException {
        if (limit <= 0 || !EtcdKeys.isBefore(low, high)) {
            return List.of();
        }
        List<KeyValue> found = fitting(low, high, limit);
        long bytes = 0;
        for (KeyValue each : found) {
            bytes += each.getKey().size() + (long) each.getValue().size();
        }
        if (bytes > 0) {
            length = (int) Math.max(1, Math.min(MOST, found.size() * (long) GOOD_BYTES / bytes));
        }
        return found;
    }

    /** Long records after many short ones may exceed the size of a response. */
    private List<KeyValue> fitting(ByteSequence low, ByteSequence high, int limit) throws StoreException {
        while (true) {
            int most = Math.min(limit, length);
            try {
                return get(low, high, GetOption.builder().withLimit(most)).getKvs();
            } catch (StoreException problem) {
                if (most == 1 || EtcdErrors.codeOf(problem) != Status.Code.RESOURCE_EXHAUSTED) {
                    throw problem;
                }
                length = most / 2;
            }
        }
    }

    /** Reads the whole range. */
    List<KeyValue> all(ByteSequence low, ByteSequence high) throws StoreException {
        List<KeyValue> all = new ArrayList<>();
        ByteSequence from = low;
        for (List<KeyValue> page = read(from, high, MOST); !page.isEmpty(); page = read(from, high, MOST)) {
            all.addAll(page);
            from = EtcdKeys.following(all.get(all.size() - 1).getKey());
        }
        return all;
    }

    long count(ByteSequence low, ByteSequence high) throws StoreException {
        return EtcdKeys.isBefore(low, high)
                ? get(low, high, GetOption.builder().withCountOnly(true)).getCount()
                : 0;
    }

    private GetResponse get(ByteSequence low, ByteSequence high, GetOption.Builder options) throws StoreException {
        try {
            GetOption asked = options.withRange(high).withRevision(revision).build();
            GetResponse found = connection.ask(client -> client.getKVClient().get(low, asked));
            revision = revision == 0 ? found.getHeader().getRevision() : revision;
            return found;
        } catch (StoreException problem) {
            if (strict || revision == 0 || !isCompacted(problem)) {
                throw problem;
            }
            revision = 0;
            return get(low, high, options);
        }
    }

    private static boolean isCompacted(StoreException problem) {
        return EtcdErrors.codeOf(problem) == Status.Code.OUT_OF_RANGE;
    }
}
