package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import io.forewarn.bench.ForewarnProcess;
import io.forewarn.bench.KeptAliveConnection;
import io.forewarn.core.Actor;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.records.JsonFormat;
import io.forewarn.store.sqlite.SqliteStore;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.TokenBody;
import io.forewarn.wire.control.TokenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A viewer asks for events that never were, and filters a long history by names that hardly occur in it. */
final class LogReaders implements Attack {
    private static final int ATTACKERS = 30;
    private static final int PAGES_PER_COMMIT = 2000;
    private static final long LONGEST_INDEXING_SECONDS = 240;
    /** What a request may read of the log: what was committed since the last look, and what it finds. */
    private static final int MOST_PAGES = 200;

    @Override
    public String name() {
        return "log-readers";
    }

    @Override
    public String tried(boolean quick) {
        return String.format(
                "%d connections with one viewer's token ask for unknown events, and for history by rare machines, groups, tenants and events,"
                        + " of a log of %,d pages",
                ATTACKERS, pages(quick));
    }

    private static int pages(boolean quick) {
        return quick ? 5_000 : 250_000;
    }

    @Override
    public List<AttackFinding> run(BenchSetup setup) throws Exception {
        Path folder = setup.folder("log-readers");
        fill(folder, pages(setup.quick()));
        try (ForewarnProcess server =
                ForewarnProcess.start(setup, "-Xmx512m", "--store", ForewarnProcess.store(folder))) {
            awaitIndex(server);
            return attack(server, setup.seconds(20));
        }
    }

    private static void awaitIndex(ForewarnProcess server) throws Exception {
        long started = System.nanoTime();
        while (server.metric("forewarn_log_indexed") < 1) {
            if (System.nanoTime() - started > TimeUnit.SECONDS.toNanos(LONGEST_INDEXING_SECONDS)) {
                throw new IllegalStateException("the log was not indexed in " + LONGEST_INDEXING_SECONDS + " s");
            }
            Thread.sleep(100);
        }
    }

    private static List<AttackFinding> attack(ForewarnProcess server, int seconds) throws Exception {
        TokenRequest viewer = new TokenRequest("viewer", "viewer", "default", null, null, null);
        String token = Json.answer(
                        TokenBody.class,
                        server.control(Route.TOKEN_ADD, List.of(), Json.write(viewer))
                                .expect(200)
                                .body())
                .secret();
        double before = server.metric("forewarn_log_pages_read_total");
        AtomicLong asked = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ExecutorService threads = Executors.newFixedThreadPool(ATTACKERS);
        List<CompletableFuture<Void>> attackers = new ArrayList<>();
        List<Long> waited = new ArrayList<>();
        try {
            for (int i = 0; i < ATTACKERS; i++) {
                int first = i;
                attackers.add(CompletableFuture.runAsync(
                        () -> read(server.controlPort(), token, first, end, asked, wrong), threads));
            }
            while (System.nanoTime() < end) {
                long sent = System.nanoTime();
                server.control(Route.STATUS, List.of(), new byte[0]).expect(200);
                waited.add(System.nanoTime() - sent);
                Thread.sleep(50);
            }
            CompletableFuture.allOf(attackers.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
        } finally {
            threads.shutdownNow();
        }
        double read = (server.metric("forewarn_log_pages_read_total") - before) / Math.max(1, asked.get());
        long slowest = waited.stream().mapToLong(Long::longValue).max().orElse(0);
        return List.of(
                AttackFinding.of(
                        wrong.get() == 0 && asked.get() > 0,
                        "all %,d answers were right but %,d",
                        asked.get(),
                        wrong.get()),
                AttackFinding.of(read <= MOST_PAGES, "a request read %.0f pages of the log", read),
                AttackFinding.of(
                        !waited.isEmpty(),
                        "the operator was answered %d times, at the slowest after %.0f ms",
                        waited.size(),
                        slowest / 1e6));
    }

    private static void read(int port, String token, int first, long end, AtomicLong asked, AtomicLong wrong) {
        String headers = "Authorization: Bearer " + token + "\r\n";
        try (KeptAliveConnection connection = new KeptAliveConnection("127.0.0.1", port)) {
            for (int i = first; System.nanoTime() < end; i++) {
                KeptAliveConnection.Answer answer =
                        connection.ask(KeptAliveConnection.request("GET", uri(i), headers, ""));
                // Who asks too much at a time is told so.
                boolean right = answer.status() == (i % 5 == 0 ? 404 : 200) || answer.status() == 503;
                asked.incrementAndGet();
                if (!right) {
                    wrong.incrementAndGet();
                }
            }
        } catch (IOException broken) {
            wrong.incrementAndGet();
        }
    }

    private static String uri(int i) {
        return switch (i % 5) {
            case 0 -> Route.EVENT.uri(List.of(new EventId(new UUID(7, i)).toString()), Map.of());
            case 1 -> Route.HISTORY.uri(List.of(), Map.of("machine", "m" + i, "limit", "10"));
            case 2 -> Route.HISTORY.uri(List.of(), Map.of("group", "g" + i, "limit", "10"));
            case 3 -> Route.HISTORY.uri(List.of(), Map.of("tenant", "default", "limit", "10"));
            default ->
                Route.HISTORY.uri(List.of(), Map.of("event", new EventId(new UUID(8, i)).toString(), "limit", "10"));
        };
    }

    /** Every page is one line about another machine, another group and another event, and nearly all are another tenant's. */
    private static void fill(Path folder, int pages) throws Exception {
        JsonFormat format = new JsonFormat();
        Instant start = Instant.now().minusSeconds(pages);
        try (Store store = SqliteStore.open(folder)) {
            long epoch = store.claim().epoch();
            Map<String, byte[]> puts = new TreeMap<>();
            long commit = 0;
            for (int i = 1; i <= pages; i++) {
                Instant at = start.plusSeconds(i);
                HistoryEntry entry = new HistoryEntry(
                        at,
                        Transition.SCHEDULED.name(),
                        new GroupId(i % 1000 == 0 ? "default" : "busy", "g" + i),
                        new EventId(new UUID(0, i)),
                        Cause.RESTART,
                        List.of("m" + i),
                        Actor.SERVICE,
                        null,
                        null,
                        null,
                        "");
                LogPage page = new LogPage(i, at, List.of(entry), List.of());
                puts.put(page.key(), format.write(page));
                if (puts.size() == PAGES_PER_COMMIT || i == pages) {
                    store.commit(Commit.of(++commit, epoch, puts, List.of()));
                    puts.clear();
                }
            }
            store.skipTo(pages);
        }
    }
}
