package io.forewarn.server.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.LogPosition;
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

    private final RecordFormat format = new JsonFormat();
    private Store store;
    private History history;

    @BeforeEach
    void fill() throws Exception {
        store = SqliteStore.open(folder.resolve("data"));
        Store.Head head = store.claim();
        Map<String, byte[]> puts = new TreeMap<>();
        for (int i = 1; i <= PAGES; i++) {
            Instant at = START.plusSeconds(i);
            Transition transition = i == 10 ? Transition.SCHEDULED : i == 500 ? Transition.COMPLETED : null;
            HistoryEntry entry = transition == null
                    ? entry(at, HistoryEntry.What.ENABLED.name(), null, "m" + i)
                    : entry(at, transition.name(), EVENT, "m" + i);
            LogPage page = new LogPage(i, at, List.of(entry), List.of());
            puts.put(page.key(), format.write(page));
            if (puts.size() == 100) {
                store.commit(Commit.of(i / 100, head.epoch(), puts, List.of()));
                puts.clear();
            }
        }
        history = new History(store, format, new LogIndex(store, format));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void everythingIsReadInBothDirections() throws Exception {
        List<String> down = read(HistoryQuery.ALL);
        List<String> up = read(HistoryQuery.ALL.oldestFirst(true));
        assertEquals(PAGES, down.size());
        assertEquals("m600", down.get(0));
        assertEquals("m1", down.get(PAGES - 1));
        assertEquals("m1", up.get(0));
        assertEquals("m600", up.get(PAGES - 1));
    }

    @Test
    void onlyWhatWasAskedForIsHandedOver() throws Exception {
        assertEquals(
                List.of("m600", "m599"),
                read(HistoryQuery.ALL.about(null, WEB, null, null, null).atMost(2)));
        assertEquals(List.of("m3"), read(HistoryQuery.ALL.about("default", null, "m3", null, null)));
        assertEquals(List.of(), read(HistoryQuery.ALL.about("other", null, null, null, null)));
        Instant since = START.plusSeconds(599);
        assertEquals(List.of("m600", "m599"), read(HistoryQuery.ALL.between(since, Instant.MAX)));
        assertEquals(
                List.of("m599", "m600"),
                read(HistoryQuery.ALL.between(since, Instant.MAX).oldestFirst(true)));
    }

    @Test
    void aStretchOfTimeIsFoundInTheMiddle() throws Exception {
        HistoryQuery stretch = HistoryQuery.ALL.between(START.plusSeconds(300), START.plusSeconds(303));
        assertEquals(List.of("m302", "m301", "m300"), read(stretch));
        assertEquals(List.of("m300", "m301", "m302"), read(stretch.oldestFirst(true)));
        assertEquals(List.of(), read(HistoryQuery.ALL.between(START.plusSeconds(9999), Instant.MAX)));
        assertEquals(List.of(), read(HistoryQuery.ALL.between(Instant.MIN, START)));
    }

    @Test
    void aRolloutIsFoundByWhatItDidAndByItsEvents() throws Exception {
        assertEquals(
                List.of("m400", "m20"),
                read(HistoryQuery.ALL.about(null, null, null, null, "os-1")),
                "one says it, one of an older release tells it in its detail");
    }

    @Test
    void aReadingThatStoppedGoesOnWhereItWas() throws Exception {
        for (boolean up : List.of(true, false)) {
            List<String> all = read(HistoryQuery.ALL.oldestFirst(up));
            for (int limit : List.of(1, 7, 1000)) {
                for (int pages : List.of(1, 50, 100_000)) {
                    List<String> machines = new ArrayList<>();
                    LogPosition mark = null;
                    int rounds = 0;
                    do {
                        HistoryQuery query =
                                HistoryQuery.ALL.oldestFirst(up).atMost(limit).after(mark);
                        mark = history.read(query, pages, entry -> machines.addAll(entry.machines()))
                                .next();
                        mark = mark == null
                                ? null
                                : LogPosition.parse(mark.toString()).orElseThrow();
                    } while (mark != null && rounds++ < 5000);
                    assertEquals(all, machines, up + " " + limit + " " + pages);
                }
            }
        }
    }

    @Test
    void aRareFilterStopsAndReportsHowFarItSearched() throws Exception {
        HistoryQuery rare = HistoryQuery.ALL.about(null, null, "m3", null, null);
        List<String> found = new ArrayList<>();
        ReadProgress readProgress = history.read(rare, 100, entry -> found.addAll(entry.machines()));
        assertEquals(List.of(), found);
        assertEquals(new ReadProgress(new LogPosition(501, 0), START.plusSeconds(501)), readProgress);
        readProgress = history.read(rare.after(readProgress.next()), 100_000, entry -> found.addAll(entry.machines()));
        assertEquals(List.of("m3"), found);
        assertEquals(new ReadProgress(null, START.plusSeconds(1)), readProgress);
    }

    @Test
    void oneEventsHistoryEndsAtItsBeginning() throws Exception {
        List<String> found = new ArrayList<>();
        ReadProgress readProgress = history.read(
                HistoryQuery.ALL.about(null, null, null, EVENT, null),
                100_000,
                entry -> found.addAll(entry.machines()));
        assertEquals(List.of("m500", "m10"), found);
        assertEquals(new ReadProgress(null, START.plusSeconds(10)), readProgress);
    }

    @Test
    void anEventsLifeIsFoundHoweverLongAgo() {
        assertEquals(
                List.of("SCHEDULED", "COMPLETED"),
                history.of(EVENT).entries().stream().map(HistoryEntry::what).toList());
        assertEquals(new History.Life(List.of(), true), history.of(new EventId(new UUID(0, 8))));
        assertEquals(START.plusSeconds(PAGES), history.newest().orElseThrow());
    }

    @Test
    void anEventThatNeverWasCostsNoMoreThanTheNewestCommits() {
        History brief = new History(store, format, new LogIndex(store, format), 150);
        assertEquals(new History.Life(List.of(), false), brief.of(new EventId(new UUID(0, 8))));
        assertEquals(2, brief.of(EVENT).entries().size(), "its end is near enough, so its beginning is read too");
        assertEquals(
                new History.Life(List.of(), false),
                new History(store, format, new LogIndex(store, format), 100).of(EVENT));
    }

    private List<String> read(HistoryQuery query) throws Exception {
        List<String> machines = new ArrayList<>();
        history.read(query, entry -> machines.addAll(entry.machines()));
        return machines;
    }

    private static HistoryEntry entry(Instant at, String what, EventId event, String machine) {
        Cause cause = event == null ? null : Cause.RESTART;
        boolean rolled = machine.equals("m400");
        boolean older = machine.equals("m20");
        return new HistoryEntry(
                at,
                older ? "ROLLOUT_HALTED" : what,
                WEB,
                event,
                cause,
                List.of(machine),
                Actor.SERVICE,
                null,
                null,
                null,
                older ? "os-1: host-3 failed." : "",
                rolled ? "os-1" : null);
    }
}
