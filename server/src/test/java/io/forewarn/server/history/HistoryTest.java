package io.forewarn.server.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Format;
import io.forewarn.core.engine.Store;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Step;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;
import io.forewarn.records.JsonFormat;
import io.forewarn.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistoryTest {
    /** More than are read at a time. */
    private static final int PAGES = 600;

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final GroupId WEB = new GroupId("default", "web");
    private static final EventId EVENT = new EventId(new UUID(0, 7));

    @TempDir
    private Path folder;

    private final Format format = new JsonFormat();
    private Store store;
    private History history;

    @BeforeEach
    void fill() throws Exception {
        store = SqliteStore.open(folder.resolve("data"));
        Store.Head head = store.claim();
        Map<String, byte[]> puts = new TreeMap<>();
        for (int i = 1; i <= PAGES; i++) {
            Instant at = START.plusSeconds(i);
            Step step = i == 10 ? Step.ANNOUNCED : i == 500 ? Step.COMPLETED : null;
            Entry entry = step == null
                    ? entry(at, Entry.What.ENABLED.name(), null, "m" + i)
                    : entry(at, step.name(), EVENT, "m" + i);
            LogPage page = new LogPage(i, at, List.of(entry), List.of());
            puts.put(page.key(), format.write(page));
            if (puts.size() == 100) {
                store.commit(Commit.of(i / 100, head.epoch(), puts, List.of()));
                puts.clear();
            }
        }
        history = new History(store, format);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void everythingIsReadInBothDirections() throws Exception {
        List<String> down = read(new HistoryQuery(null, null, null, null, Instant.EPOCH, Long.MAX_VALUE, false));
        List<String> up = read(new HistoryQuery(null, null, null, null, Instant.EPOCH, Long.MAX_VALUE, true));
        assertEquals(PAGES, down.size());
        assertEquals("m600", down.get(0));
        assertEquals("m1", down.get(PAGES - 1));
        assertEquals("m1", up.get(0));
        assertEquals("m600", up.get(PAGES - 1));
    }

    @Test
    void onlyWhatWasAskedForIsHandedOver() throws Exception {
        assertEquals(List.of("m600", "m599"), read(new HistoryQuery(null, WEB, null, null, Instant.EPOCH, 2, false)));
        assertEquals(List.of("m3"), read(new HistoryQuery("default", null, "m3", null, Instant.EPOCH, 9, false)));
        assertEquals(List.of(), read(new HistoryQuery("other", null, null, null, Instant.EPOCH, 9, false)));
        Instant since = START.plusSeconds(599);
        assertEquals(List.of("m600", "m599"), read(new HistoryQuery(null, null, null, null, since, 9, false)));
        assertEquals(List.of("m599", "m600"), read(new HistoryQuery(null, null, null, null, since, 9, true)));
    }

    @Test
    void anEventsLifeIsFoundHoweverLongAgo() {
        assertEquals(
                List.of("ANNOUNCED", "COMPLETED"),
                history.of(EVENT).entries().stream().map(Entry::what).toList());
        assertEquals(new History.Life(List.of(), true), history.of(new EventId(new UUID(0, 8))));
        assertEquals(START.plusSeconds(PAGES), history.newest().orElseThrow());
    }

    @Test
    void anEventThatNeverWasCostsNoMoreThanTheNewestCommits() {
        History brief = new History(store, format, 150);
        assertEquals(new History.Life(List.of(), false), brief.of(new EventId(new UUID(0, 8))));
        assertEquals(2, brief.of(EVENT).entries().size(), "its end is near enough, so its beginning is read too");
        assertEquals(new History.Life(List.of(), false), new History(store, format, 100).of(EVENT));
    }

    private List<String> read(HistoryQuery query) throws Exception {
        List<String> machines = new ArrayList<>();
        history.read(query, entry -> machines.addAll(entry.machines()));
        return machines;
    }

    private static Entry entry(Instant at, String what, EventId event, String machine) {
        Cause cause = event == null ? null : Cause.RESTART;
        return new Entry(at, what, WEB, event, cause, List.of(machine), Actor.SERVICE, null, null, null, "");
    }
}
