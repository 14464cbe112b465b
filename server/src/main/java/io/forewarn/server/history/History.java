package io.forewarn.server.history;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Format;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Step;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads the log page by page, in constant memory. Slow: not for an event loop, and never through the writer. */
public final class History {
    /** Where entries go; may throw to stop. */
    public interface Sink {
        void take(Entry entry) throws Exception;
    }

    /**
     * One event's life.
     *
     * @param entries oldest first; empty if it was not found
     * @param searchedAll false if it was not found and the log goes further back than was searched
     */
    public record Life(List<Entry> entries, boolean searchedAll) {}

    /** How many of the newest commits are searched for an event: asking for one that never was must not cost a whole log. */
    public static final int SEARCHED = 20_000;

    private static final int PAGES = 256;

    private final Store store;
    private final Format format;
    private final int searched;

    public History(Store store, Format format) {
        this(store, format, SEARCHED);
    }

    History(Store store, Format format, int searched) {
        this.store = store;
        this.format = format;
        this.searched = searched;
    }

    /** Hands over what was asked for, in the order asked for. */
    public void read(HistoryQuery query, Sink sink) throws Exception {
        long left = query.limit();
        String mark = null;
        while (true) {
            List<LogPage> pages = query.oldestFirst() ? up(mark) : down(mark);
            for (LogPage page : pages) {
                if (!query.oldestFirst() && page.at().isBefore(query.since())) {
                    return;
                }
                for (Entry entry : ordered(page, query.oldestFirst())) {
                    if (query.wants(entry)) {
                        if (left-- <= 0) {
                            return;
                        }
                        sink.take(entry);
                    }
                }
            }
            if (pages.size() < PAGES) {
                return;
            }
            mark = pages.get(pages.size() - 1).key();
        }
    }

    /** All that befell one event. Once a trace of it is found its life is read to its beginning. */
    public Life of(EventId event) {
        List<Entry> entries = new ArrayList<>();
        String mark = null;
        int read = 0;
        while (true) {
            List<LogPage> pages = down(mark);
            for (LogPage page : pages) {
                if (read++ == searched && entries.isEmpty()) {
                    return new Life(List.of(), false);
                }
                for (Entry entry : ordered(page, false)) {
                    if (event.equals(entry.event())) {
                        entries.add(entry);
                        if (isFirst(entry)) {
                            return whole(entries);
                        }
                    }
                }
            }
            if (pages.size() < PAGES) {
                return whole(entries);
            }
            mark = pages.get(pages.size() - 1).key();
        }
    }

    private static Life whole(List<Entry> newestFirst) {
        Collections.reverse(newestFirst);
        return new Life(newestFirst, true);
    }

    /** When the last commit was made. */
    public Optional<Instant> newest() {
        return down(null, 1).stream().findFirst().map(LogPage::at);
    }

    /** The step with which an event's life begins: nothing older need be read. */
    private static boolean isFirst(Entry entry) {
        for (Step step : Step.values()) {
            if (step.name().equals(entry.what())) {
                return step.from() == null;
            }
        }
        return false;
    }

    private static List<Entry> ordered(LogPage page, boolean oldestFirst) {
        List<Entry> entries = new ArrayList<>(page.entries());
        if (!oldestFirst) {
            Collections.reverse(entries);
        }
        return entries;
    }

    private List<LogPage> up(String after) {
        List<Raw> raws = new ArrayList<>();
        try {
            store.scan(
                    LogPage.PREFIX, after == null ? LogPage.PREFIX : after, PAGES, (k, v) -> raws.add(new Raw(k, v)));
            return pages(raws);
        } catch (StoreException failed) {
            throw down(failed);
        }
    }

    private List<LogPage> down(String before) {
        return down(before, PAGES);
    }

    private List<LogPage> down(String before, int limit) {
        List<Raw> raws = new ArrayList<>();
        try {
            // '~' comes after every digit.
            String from = before == null ? LogPage.PREFIX + "~" : before;
            store.scanDown(LogPage.PREFIX, from, limit, (k, v) -> raws.add(new Raw(k, v)));
            return pages(raws);
        } catch (StoreException failed) {
            throw down(failed);
        }
    }

    private List<LogPage> pages(List<Raw> raws) throws StoreException {
        List<LogPage> pages = new ArrayList<>(raws.size());
        for (Raw raw : raws) {
            pages.add((LogPage) format.read(raw.key, raw.value));
        }
        return pages;
    }

    private record Raw(String key, byte[] value) {}

    private static Refusal down(StoreException failed) {
        return new Refusal(Problem.STORE_DOWN, "history cannot be read: " + failed.getMessage());
    }
}
