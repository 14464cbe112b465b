package io.forewarn.server.history;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.history.LogPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Reads raw pages of the log in either direction, a bounded number of bytes at a time. */
final class LogPageReader {
    /** A page as it is stored. */
    record Raw(String key, byte[] value) {
        long commit() {
            return Long.parseLong(key.substring(LogPage.PREFIX.length()));
        }
    }

    /**
     * A range of commits, both ends inclusive.
     *
     * @param first 1 or more
     */
    record Range(long first, long last) {
        boolean isEmpty() {
            return first > last;
        }
    }

    /** An entry may be a little older than its page: sightings are committed in batches, and clocks are adjusted. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    private static final int FIRST_COUNT = 32;
    private static final int MOST = 1024;
    private static final int BYTES = 1 << 20;

    /** Pages this close together are read at once, including those between them. */
    private static final int CLOSE = 8;

    /**
     * Some pages in the requested order.
     *
     * @param reached where the next read begins; null if there is nothing more
     */
    record Stretch(List<Raw> pages, Long reached) {}

    private final Store store;
    private final RecordFormat format;
    private final LogIndex index;
    private final LongAdder read;
    private int count = FIRST_COUNT;

    /** @param read counts pages read from the store */
    LogPageReader(Store store, RecordFormat format, LogIndex index, LongAdder read) {
        this.store = store;
        this.format = format;
        this.index = index;
        this.read = read;
    }

    /** The commits between two times, by binary search, so that a time long ago costs only a few pages. */
    Range between(Instant since, Instant until) {
        List<Raw> oldest = up(0, 1);
        List<Raw> newest = down(Long.MAX_VALUE, 1);
        if (oldest.isEmpty() || newest.isEmpty()) {
            return new Range(1, 0);
        }
        long low = oldest.get(0).commit();
        long high = newest.get(0).commit();
        long first = since.equals(Instant.MIN) ? low : firstFrom(since.minus(SLACK), low, high);
        long last = until.equals(Instant.MAX) ? high : firstFrom(until.plus(SLACK), low, high);
        return new Range(first, Math.min(last, high));
    }

    /** The first commit at that time or later; one more than the last if there is none. */
    private long firstFrom(Instant time, long low, long high) {
        long from = low;
        long to = high + 1;
        while (from < to) {
            long middle = from + (to - from) / 2;
            List<Raw> found = up(middle - 1, 1);
            if (found.isEmpty() || !read(found.get(0)).at().isBefore(time)) {
                to = middle;
            } else {
                from = found.get(0).commit() + 1;
            }
        }
        return from;
    }

    /**
     * The pages next to a position that may contain matching entries.
     *
     * @param terms index terms; empty for everything
     */
    Stretch next(List<String> terms, long at, boolean up) {
        LogIndex.Found found = terms.isEmpty() ? null : index.find(terms, at, up);
        if (found == null) {
            List<Raw> raws = up ? up(at) : down(at);
            return new Stretch(
                    raws, raws.isEmpty() ? null : raws.get(raws.size() - 1).commit());
        }
        if (found.pages().length == 0) {
            return new Stretch(List.of(), found.reached());
        }
        return close(found, up);
    }

    /** The first of the pages found, and those close to it. */
    private Stretch close(LogIndex.Found found, boolean up) {
        long[] pages = found.pages();
        int last = 0;
        while (last + 1 < pages.length
                && Math.abs(pages[last + 1] - pages[last]) <= CLOSE
                && Math.abs(pages[last + 1] - pages[0]) < count) {
            last++;
        }
        int limit = (int) Math.abs(pages[last] - pages[0]) + 1;
        List<Raw> raws = new ArrayList<>(up ? up(pages[0] - 1, limit) : down(pages[0] + 1, limit));
        measured(raws);
        Set<Long> wanted = new HashSet<>();
        for (int i = 0; i <= last; i++) {
            wanted.add(pages[i]);
        }
        raws.removeIf(raw -> !wanted.contains(raw.commit()));
        return new Stretch(raws, last + 1 == pages.length ? found.reached() : pages[last]);
    }

    /** Pages after a commit, oldest first; empty only if there are none. */
    List<Raw> up(long after) {
        return measured(up(after, count));
    }

    /** Pages before a commit, newest first. */
    List<Raw> down(long before) {
        return measured(down(before, count));
    }

    private List<Raw> measured(List<Raw> raws) {
        long bytes = 1;
        for (Raw raw : raws) {
            bytes += raw.value.length;
        }
        count = (int) Math.max(1, Math.min(MOST, (long) BYTES * Math.max(1, raws.size()) / bytes));
        return raws;
    }

    private List<Raw> up(long after, int limit) {
        List<Raw> raws = new ArrayList<>();
        try {
            store.scan(LogPage.PREFIX, LogPage.key(after), limit, (k, v) -> raws.add(new Raw(k, v)));
            read.add(raws.size());
            return raws;
        } catch (StoreException failed) {
            throw unreadable(failed);
        }
    }

    List<Raw> down(long before, int limit) {
        List<Raw> raws = new ArrayList<>();
        try {
            store.scanDown(LogPage.PREFIX, LogPage.key(before), limit, (k, v) -> raws.add(new Raw(k, v)));
            read.add(raws.size());
            return raws;
        } catch (StoreException failed) {
            throw unreadable(failed);
        }
    }

    LogPage read(Raw raw) {
        try {
            return (LogPage) format.read(raw.key, raw.value);
        } catch (StoreException failed) {
            throw unreadable(failed);
        }
    }

    /** Searches the raw bytes, which is far cheaper than parsing the page. */
    boolean mayMention(Raw raw, List<String> words) {
        for (String word : words) {
            if (!format.mayMention(raw.value, word)) {
                return false;
            }
        }
        return true;
    }

    private static RefusedException unreadable(StoreException failed) {
        return new RefusedException(Problem.STORE_UNAVAILABLE, "history cannot be read: " + failed.getMessage());
    }
}
