package io.forewarn.server.history;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Format;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.rules.LogPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The log as raw pages in either direction, a bounded number of bytes at a time. */
final class Pages {
    /** A page as it is stored. */
    record Raw(String key, byte[] value) {
        long commit() {
            return Long.parseLong(key.substring(LogPage.PREFIX.length()));
        }
    }

    /**
     * The commits a reading is about, both included.
     *
     * @param first 1 or more
     */
    record Range(long first, long last) {
        boolean isEmpty() {
            return first > last;
        }
    }

    /** An entry may be a little older than its page: sightings are committed in batches, and walls are set. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    private static final int FIRST_COUNT = 32;
    private static final int MOST = 1024;
    private static final int BYTES = 1 << 20;

    private final Store store;
    private final Format format;
    private int count = FIRST_COUNT;

    Pages(Store store, Format format) {
        this.store = store;
        this.format = format;
    }

    /** Found by halving, so that a time long ago costs a few pages and not all those in between. */
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

    /** Those after a commit, oldest first: some, or none if there are none. */
    List<Raw> up(long after) {
        return measured(up(after, count));
    }

    /** Those before a commit, newest first. */
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
            return raws;
        } catch (StoreException failed) {
            throw unreadable(failed);
        }
    }

    List<Raw> down(long before, int limit) {
        List<Raw> raws = new ArrayList<>();
        try {
            store.scanDown(LogPage.PREFIX, LogPage.key(before), limit, (k, v) -> raws.add(new Raw(k, v)));
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

    /** Far cheaper than reading it. */
    boolean mayMention(Raw raw, List<String> words) {
        for (String word : words) {
            if (!format.mayMention(raw.value, word)) {
                return false;
            }
        }
        return true;
    }

    private static Refusal unreadable(StoreException failed) {
        return new Refusal(Problem.STORE_DOWN, "history cannot be read: " + failed.getMessage());
    }
}
