package io.forewarn.server.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogIndexTest {
    private static final int PAGES = 1500;
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final long PLENTY = 1_000_000;

    @TempDir
    private Path folder;

    private final RecordFormat format = new JsonFormat();
    private final AtomicLong rowsRead = new AtomicLong();
    private Store file;
    private Store store;
    private long commits;
    private long epoch;

    @BeforeEach
    void fill() throws Exception {
        file = SqliteStore.open(folder.resolve("data"));
        store = counted(file);
        epoch = file.claim().epoch();
        write(1, PAGES, "");
    }

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void resultsDoNotDependOnWhatIsIndexed() throws Exception {
        History plain = new History(store, format, new LogIndex(store, format));
        for (long[] extent : new long[][] {{1, PLENTY}, {3, 1000}, {1000, PLENTY}}) {
            LogIndex index = new LogIndex(store, format, extent[1]);
            turn(index, (int) extent[0]);
            sameAnswers(plain, new History(store, format, index), extent[0] + " turns, at most " + extent[1]);
        }
    }

    @Test
    void anEventThatNeverWasCostsHardlyARead() throws Exception {
        History history = indexed(PLENTY);
        rowsRead.set(0);
        assertEquals(new History.Life(List.of(), true), history.of(new EventId(new UUID(1, 1))));
        assertTrue(rowsRead.get() < 100, rowsRead + " pages were read");
    }

    @Test
    void anEventThatEndedLongAgoIsReadAndNothingElse() throws Exception {
        History history = indexed(PLENTY);
        rowsRead.set(0);
        assertEquals(3, history.of(event(20)).entries().size());
        assertTrue(rowsRead.get() < 100, rowsRead + " pages were read");
    }

    @Test
    void everyFilterReadsWhatItFindsAndLittleElse() throws Exception {
        History history = indexed(PLENTY);
        List<HistoryQuery> rare = List.of(
                HistoryQuery.ALL.about("rare", null, null, null, null),
                HistoryQuery.ALL.about(null, new GroupId("rare", "g0"), null, null, null),
                HistoryQuery.ALL.about("default", null, "m20", null, null),
                HistoryQuery.ALL.about(null, null, null, event(20), null),
                HistoryQuery.ALL.about(null, null, null, null, "os-20"),
                HistoryQuery.ALL.about("nobody", null, null, null, null));
        for (HistoryQuery query : rare) {
            for (boolean up : List.of(true, false)) {
                rowsRead.set(0);
                read(history, query.oldestFirst(up));
                assertTrue(rowsRead.get() < 150, query + ": " + rowsRead + " pages were read");
            }
        }
    }

    @Test
    void laterCommitsAreFoundBeforeAndAfterIndexing() throws Exception {
        LogIndex index = new LogIndex(store, format, PLENTY);
        turn(index, 1000);
        History history = new History(store, format, index);
        write(PAGES + 1, PAGES + 700, "");
        int before = read(history, HistoryQuery.ALL.about("rare", null, null, null, null))
                .size();
        turn(index, 1000);
        assertEquals(
                before,
                read(history, HistoryQuery.ALL.about("rare", null, null, null, null))
                        .size());
        assertEquals(3, history.of(event(PAGES / 10 + 50)).entries().size());
        sameAnswers(new History(store, format, new LogIndex(store, format)), history, "grown");
    }

    @Test
    void anIndexBegunOverAnEmptyLogSeesItGrow() throws Exception {
        List<String> all = keys(1, PAGES);
        commit(Map.of(), all);
        LogIndex index = new LogIndex(store, format, PLENTY);
        turn(index, 3);
        write(PAGES + 1, PAGES + 300, "");
        turn(index, 100);
        History history = new History(store, format, index);
        rowsRead.set(0);
        assertEquals(new History.Life(List.of(), true), history.of(event(1)));
        assertTrue(rowsRead.get() < 100, rowsRead + " pages were read");
        sameAnswers(new History(store, format, new LogIndex(store, format)), history, "grown from nothing");
    }

    @Test
    void pagesThatWereDroppedForTheirAgeAreForgotten() throws Exception {
        LogIndex index = new LogIndex(store, format, PLENTY);
        turn(index, 1000);
        long before = index.size();
        commit(Map.of(), keys(1, 1000));
        turn(index, 1);
        assertTrue(index.size() < before / 2, before + " terms, and then " + index.size());
        sameAnswers(
                new History(store, format, new LogIndex(store, format)), new History(store, format, index), "dropped");
    }

    /** As after the store was restored from a copy under a running node. */
    @Test
    void aReplacedLogIsIndexedAgain() throws Exception {
        LogIndex index = new LogIndex(store, format, PLENTY);
        turn(index, 1000);
        commit(Map.of(), keys(1001, PAGES));
        write(1001, PAGES + 100, "other-");
        turn(index, 1000);
        History history = new History(store, format, index);
        sameAnswers(new History(store, format, new LogIndex(store, format)), history, "replaced");
        assertEquals(
                1,
                read(history, HistoryQuery.ALL.about("default", null, "other-m1201", null, null))
                        .size());
    }

    @Test
    void itHoldsNoMoreThanItMay() throws Exception {
        LogIndex index = new LogIndex(store, format, 1000);
        for (int i = 0; i < 1000; i++) {
            index.turn();
            assertTrue(index.size() <= 1000 + 256 * 6, index.size() + " terms");
        }
    }

    private History indexed(long most) throws Exception {
        LogIndex index = new LogIndex(store, format, most);
        turn(index, 1000);
        return new History(store, format, index);
    }

    private static void turn(LogIndex index, int times) throws Exception {
        for (int i = 0; i < times && index.turn(); i++) {
            // Until there is nothing more to read.
        }
    }

    private void sameAnswers(History plain, History indexed, String when) throws Exception {
        List<HistoryQuery> queries = new ArrayList<>();
        for (boolean up : List.of(true, false)) {
            for (String tenant : List.of("default", "rare", "nobody")) {
                queries.add(
                        HistoryQuery.ALL.about(tenant, null, null, null, null).oldestFirst(up));
                queries.add(HistoryQuery.ALL
                        .about(tenant, new GroupId(tenant, "g3"), null, null, null)
                        .oldestFirst(up)
                        .atMost(7));
            }
            for (int n : List.of(1, 20, 140, 1203)) {
                queries.add(HistoryQuery.ALL
                        .about("default", null, "m" + n, null, null)
                        .oldestFirst(up));
                queries.add(
                        HistoryQuery.ALL.about(null, null, null, event(n), null).oldestFirst(up));
                queries.add(HistoryQuery.ALL
                        .about(null, null, null, null, "os-" + n)
                        .oldestFirst(up));
            }
            queries.add(HistoryQuery.ALL
                    .about("default", null, null, null, null)
                    .between(START.plusSeconds(1000), START.plusSeconds(1100))
                    .oldestFirst(up));
        }
        for (HistoryQuery query : queries) {
            List<HistoryEntry> right = read(plain, query);
            assertEquals(right, read(indexed, query), when + ": " + query);
            assertEquals(right, inSteps(indexed, query), when + ", in steps: " + query);
        }
        for (int n : List.of(1, 20, 100, 150, 2000)) {
            assertEquals(plain.of(event(n)), indexed.of(event(n)), when);
        }
    }

    private static List<HistoryEntry> read(History history, HistoryQuery query) throws Exception {
        List<HistoryEntry> entries = new ArrayList<>();
        history.read(query, entries::add);
        return entries;
    }

    private static List<HistoryEntry> inSteps(History history, HistoryQuery query) throws Exception {
        List<HistoryEntry> entries = new ArrayList<>();
        LogPosition mark = null;
        do {
            HistoryQuery step = query.after(mark).atMost(Math.min(97, query.limit() - entries.size()));
            mark = history.read(step, 100, entries::add).next();
        } while (mark != null && entries.size() < query.limit());
        return entries;
    }

    /** Every tenth page begins an event that is seen and over within the next ones; every 500th is another tenant's. */
    private void write(int from, int to, String prefix) throws Exception {
        Map<String, byte[]> puts = new TreeMap<>();
        for (int i = from; i <= to; i++) {
            String tenant = i % 500 == 0 ? "rare" : "default";
            EventId event = i % 10 < 3 ? event(i / 10) : null;
            String what = event == null
                    ? HistoryEntry.What.ENABLED.name()
                    : List.of(Transition.SCHEDULED.name(), HistoryEntry.What.SEEN.name(), Transition.COMPLETED.name())
                            .get(i % 10);
            HistoryEntry entry = new HistoryEntry(
                    START.plusSeconds(i),
                    what,
                    new GroupId(tenant, "g" + i % 20),
                    event,
                    event == null ? null : Cause.RESTART,
                    List.of(prefix + "m" + i),
                    Actor.SERVICE,
                    null,
                    null,
                    null,
                    "",
                    i % 7 == 0 ? "os-" + i / 10 : null);
            LogPage page = new LogPage(i, START.plusSeconds(i), List.of(entry), List.of());
            puts.put(page.key(), format.write(page));
            if (puts.size() == 100 || i == to) {
                commit(puts, List.of());
                puts.clear();
            }
        }
    }

    private static List<String> keys(int from, int to) {
        List<String> keys = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            keys.add(LogPage.key(i));
        }
        return keys;
    }

    private void commit(Map<String, byte[]> puts, List<String> deletes) throws Exception {
        file.commit(Commit.of(++commits, epoch, puts, deletes));
    }

    private static EventId event(int n) {
        return new EventId(new UUID(0, n));
    }

    /** The same store, with the rows counted that it hands out. */
    @SuppressWarnings("unchecked")
    private Store counted(Store real) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("scan")) {
                        BiConsumer<String, byte[]> visitor = (BiConsumer<String, byte[]>) arguments[3];
                        arguments[3] = (BiConsumer<String, byte[]>) (key, value) -> {
                            rowsRead.incrementAndGet();
                            visitor.accept(key, value);
                        };
                    }
                    return method.invoke(real, arguments);
                });
    }
}
