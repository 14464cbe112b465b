package io.forewarn.server.history;

import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.server.history.LogPageReader.Range;
import io.forewarn.server.history.LogPageReader.Raw;
import io.forewarn.server.history.LogPageReader.Stretch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads history from the log page by page, in constant memory. Blocks, so it must not run on an event loop or on the
 * writer.
 */
public final class History {
    /** Receives entries; may throw to stop. */
    public interface Sink {
        void take(HistoryEntry entry) throws Exception;
    }

    /**
     * The history of one event.
     *
     * @param entries oldest first; empty if it was not found
     * @param searchedAll false if it was not found and the log goes further back than was searched
     */
    public record Life(List<HistoryEntry> entries, boolean searchedAll) {}

    /**
     * How many unindexed pages are searched for an event, so that a request for an event that never existed does not
     * read the whole log.
     */
    public static final int SEARCHED = 20_000;

    private final Store store;
    private final RecordFormat format;
    private final LogIndex index;
    private final int searched;
    private final LongAdder pagesRead = new LongAdder();

    /** @param index updated by another thread */
    public History(Store store, RecordFormat format, LogIndex index) {
        this(store, format, index, SEARCHED);
    }

    History(Store store, RecordFormat format, LogIndex index, int searched) {
        this.store = store;
        this.format = format;
        this.index = index;
        this.searched = searched;
    }

    /** The number of log pages read since the start. Thread-safe. */
    public long pagesRead() {
        return pagesRead.sum();
    }

    private LogPageReader pages() {
        return new LogPageReader(store, format, index, pagesRead);
    }

    /** Passes all matching entries to the sink, in the requested order. */
    public void read(HistoryQuery query, Sink sink) throws Exception {
        read(query, Integer.MAX_VALUE, sink);
    }

    /**
     * Passes matching entries to the sink, in the requested order, and reads at most so many pages.
     *
     * @return how far it got: a selective filter may reach the page limit before the entry limit
     */
    public ReadProgress read(HistoryQuery query, int pages, Sink sink) throws Exception {
        return new Reading(query, pages, sink).whole();
    }

    private final class Reading {
        private final HistoryQuery query;
        private final Sink sink;
        private final List<String> words;
        private final List<String> terms;
        private final LogPageReader log = pages();
        private final Range range;
        private int pagesLeft;
        private long left;
        private LogPosition last;
        private boolean done;

        Reading(HistoryQuery query, int pages, Sink sink) {
            this.query = query;
            this.sink = sink;
            this.words = query.mentions();
            this.terms = query.terms();
            this.pagesLeft = pages;
            this.left = query.limit();
            this.last = query.after();
            this.range = log.between(query.since(), query.until());
        }

        ReadProgress whole() throws Exception {
            if (range.isEmpty()) {
                return new ReadProgress(null, null);
            }
            boolean up = query.oldestFirst();
            long at = start();
            Raw looked = null;
            while (true) {
                Stretch stretch = log.next(terms, at, up);
                for (Raw raw : stretch.pages()) {
                    at = raw.commit();
                    if (isOutside(at)) {
                        return new ReadProgress(null, time(looked));
                    }
                    if (pagesLeft-- <= 0) {
                        return new ReadProgress(last, time(looked));
                    }
                    looked = raw;
                    if (!log.mayMention(raw, words)) {
                        last = whole(at);
                    } else if (!page(log.read(raw))) {
                        return new ReadProgress(done ? null : last, time(looked));
                    }
                }
                if (stretch.reached() == null || isOutside(stretch.reached())) {
                    return new ReadProgress(null, time(looked));
                }
                at = stretch.reached();
            }
        }

        private boolean isOutside(long commit) {
            return commit < range.first() || commit > range.last();
        }

        private long start() {
            LogPosition after = query.after();
            if (query.oldestFirst()) {
                long from = after == null ? 0 : after.entry() == LogPosition.END ? after.commit() : after.commit() - 1;
                return Math.max(range.first() - 1, from);
            }
            long from = after == null ? Long.MAX_VALUE : after.entry() == 0 ? after.commit() : after.commit() + 1;
            return Math.min(range.last() + 1, from);
        }

        /** False when done. */
        private boolean page(LogPage page) throws Exception {
            int size = page.entries().size();
            for (int i = 0; i < size; i++) {
                int index = query.oldestFirst() ? i : size - 1 - i;
                if (passed(page.commit(), index)) {
                    continue;
                }
                HistoryEntry entry = page.entries().get(index);
                if (query.wants(entry)) {
                    if (left-- <= 0) {
                        return false;
                    }
                    sink.take(entry);
                    if (!query.oldestFirst() && query.event() != null && isFirst(entry)) {
                        done = true;
                        return false;
                    }
                }
                last = new LogPosition(page.commit(), index);
            }
            last = whole(page.commit());
            return true;
        }

        private LogPosition whole(long commit) {
            return new LogPosition(commit, query.oldestFirst() ? LogPosition.END : 0);
        }

        private boolean passed(long commit, int index) {
            LogPosition after = query.after();
            return after != null
                    && after.commit() == commit
                    && (query.oldestFirst() ? index <= after.entry() : index >= after.entry());
        }

        private Instant time(Raw raw) {
            return raw == null ? null : log.read(raw).at();
        }
    }

    /** The history of one event. Once an entry is found, it is read back to its beginning. */
    public Life of(EventId event) {
        LogPageReader log = pages();
        List<String> words = List.of(event.toString());
        List<String> terms = List.of(IndexTerm.event(event));
        List<HistoryEntry> entries = new ArrayList<>();
        long at = Long.MAX_VALUE;
        int read = 0;
        while (true) {
            Stretch stretch = log.next(terms, at, false);
            for (Raw raw : stretch.pages()) {
                if (read++ == searched && entries.isEmpty()) {
                    return new Life(List.of(), false);
                }
                if (log.mayMention(raw, words) && collect(log.read(raw), event, entries)) {
                    return whole(entries);
                }
            }
            if (stretch.reached() == null) {
                return whole(entries);
            }
            at = stretch.reached();
        }
    }

    /** True once the beginning is found. */
    private static boolean collect(LogPage page, EventId event, List<HistoryEntry> entries) {
        for (int i = page.entries().size() - 1; i >= 0; i--) {
            HistoryEntry entry = page.entries().get(i);
            if (event.equals(entry.event())) {
                entries.add(entry);
                if (isFirst(entry)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Life whole(List<HistoryEntry> newestFirst) {
        Collections.reverse(newestFirst);
        return new Life(newestFirst, true);
    }

    /** The time of the last commit. */
    public Optional<Instant> newest() {
        LogPageReader log = pages();
        return log.down(Long.MAX_VALUE, 1).stream().findFirst().map(raw -> log.read(raw)
                .at());
    }

    /** Whether the entry begins the history of an event, so that nothing older need be read. */
    static boolean isFirst(HistoryEntry entry) {
        for (Transition transition : Transition.values()) {
            if (transition.name().equals(entry.what())) {
                return transition.from() == null;
            }
        }
        return false;
    }
}
