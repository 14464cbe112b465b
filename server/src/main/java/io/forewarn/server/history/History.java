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

/** Reads the log page by page, in constant memory. Slow: not for an event loop, and never through the writer. */
public final class History {
    /** Where entries go; may throw to stop. */
    public interface Sink {
        void take(HistoryEntry entry) throws Exception;
    }

    /**
     * One event's life.
     *
     * @param entries oldest first; empty if it was not found
     * @param searchedAll false if it was not found and the log goes further back than was searched
     */
    public record Life(List<HistoryEntry> entries, boolean searchedAll) {}

    /** How many pages that are not indexed are searched for an event: asking for one that never was must not cost a whole log. */
    public static final int SEARCHED = 20_000;

    private final Store store;
    private final RecordFormat format;
    private final LogIndex index;
    private final int searched;
    private final LongAdder pagesRead = new LongAdder();

    /** @param index somebody else turns it */
    public History(Store store, RecordFormat format, LogIndex index) {
        this(store, format, index, SEARCHED);
    }

    History(Store store, RecordFormat format, LogIndex index, int searched) {
        this.store = store;
        this.format = format;
        this.index = index;
        this.searched = searched;
    }

    /** How many pages of the log were read for somebody since the start. Any thread. */
    public long pagesRead() {
        return pagesRead.sum();
    }

    private LogPageReader pages() {
        return new LogPageReader(store, format, index, pagesRead);
    }

    /** Hands over all that was asked for, in the order asked for. */
    public void read(HistoryQuery query, Sink sink) throws Exception {
        read(query, Integer.MAX_VALUE, sink);
    }

    /**
     * Hands over what was asked for, in the order asked for, and looks at no more than so many pages.
     *
     * @return how far it came: a filter that lets little through ends at the pages, not at the limit
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

        /** False if there is nothing more to do. */
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

    /** All that befell one event. Once a trace of it is found its life is read to its beginning. */
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

    /** True once its beginning is found. */
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

    /** When the last commit was made. */
    public Optional<Instant> newest() {
        LogPageReader log = pages();
        return log.down(Long.MAX_VALUE, 1).stream().findFirst().map(raw -> log.read(raw)
                .at());
    }

    /** The step with which an event's life begins: nothing older need be read. */
    static boolean isFirst(HistoryEntry entry) {
        for (Transition transition : Transition.values()) {
            if (transition.name().equals(entry.what())) {
                return transition.from() == null;
            }
        }
        return false;
    }
}
