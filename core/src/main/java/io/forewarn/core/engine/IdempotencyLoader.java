package io.forewarn.core.engine;

import io.forewarn.core.rules.LogPage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Knows the answers of the last day: those of commits it is told of, and those it reads of commits it was not, newest first and a
 * slice at a time. A node that follows goes on with it while it has nothing else to do; so it need not begin when it takes over.
 */
final class IdempotencyLoader {
    /** Pages of the log may be large: a busy commit has hundreds of entries. */
    private static final int SLICE = 200;

    /** So many are read however old they are: a manual clock may have moved by years in between. */
    private static final int LEAST = 1000;

    /**
     * Pages that are still to be read.
     *
     * @param before they are below this key
     * @param known and above this commit
     * @param newest when the newest of them was written; null as long as none was read
     * @param read how many were
     */
    private record Gap(String before, long known, Instant newest, int read) {}

    private final Store store;
    private final RecordFormat format;
    private final IdempotencyCache results = new IdempotencyCache();
    private final Deque<Gap> gaps = new ArrayDeque<>();
    private long upTo;

    IdempotencyLoader(Store store, RecordFormat format) {
        this.store = store;
        this.format = format;
    }

    IdempotencyCache answers() {
        return results;
    }

    /** What is known, or in a gap, goes up to this commit. */
    void reach(long seq) {
        if (seq > upTo) {
            gaps.push(new Gap(LogPage.key(seq + 1), upTo, null, 0));
            upTo = seq;
        }
    }

    /** All up to this commit was told. */
    void knows(long seq) {
        upTo = Math.max(upTo, seq);
    }

    void told(LogPage page) {
        page.done().forEach(idempotencyRecord -> results.remember(idempotencyRecord, page.at()));
        results.forget(page.at()); // A node that follows would else keep them for ever.
    }

    /** Nothing is missing. */
    boolean isWhole() {
        return gaps.isEmpty();
    }

    /** Reads some of what is missing. False if nothing is. */
    boolean slice() throws StoreException {
        Gap gap = gaps.peek();
        if (gap == null) {
            return false;
        }
        List<String> keys = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        store.scanDown(LogPage.PREFIX, gap.before(), SLICE, (key, value) -> {
            keys.add(key);
            values.add(value);
        });
        boolean more = keys.size() == SLICE;
        Instant newest = gap.newest();
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).compareTo(LogPage.key(gap.known())) <= 0) {
                more = false;
                break;
            }
            LogPage page = RecordType.read(format, keys.get(i), values.get(i), LogPage.class);
            newest = newest == null ? page.at() : newest;
            if (page.at().isBefore(newest.minus(IdempotencyCache.KEPT)) && gap.read() + i >= LEAST) {
                more = false;
                break;
            }
            told(page);
        }
        gaps.pop();
        if (more) {
            gaps.push(new Gap(keys.get(SLICE - 1), gap.known(), newest, gap.read() + SLICE));
        }
        return true;
    }
}
