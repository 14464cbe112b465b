package io.forewarn.acceptance.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.StoreChoice;
import io.forewarn.core.Actor;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.records.JsonFormat;
import io.forewarn.store.sqlite.SqliteStore;
import io.forewarn.wire.control.HostPort;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More than half a million rows, several times its memory, leave a server as fast as they are taken. */
// Takes more than 20 s: half a million rows are written before they are read.
@Tag(StoreChoice.ONCE)
final class ExportIT {
    private static final int PAGES = 1_050;
    private static final int ENTRIES = 500;
    private static final int ROWS = PAGES * ENTRIES;
    private static final String SMALL = "-Xmx96m";

    private static final EventId RARE = new EventId(new UUID(2, 2));
    /** Some days ago: a store that was last used longer ago than that would make the service doubt the wall clock. */
    private static final Instant START =
            Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(5));

    @TempDir
    private Path folder;

    @Test
    void moreRowsThanFitIntoItsHeapAreStreamed() throws Exception {
        fill();
        Program program = new Program(folder).with("JDK_JAVA_OPTIONS", SMALL + " -XX:+ExitOnOutOfMemoryError");
        try (ServerProcess serverProcess =
                new ServerProcess(program, "--store", "sqlite:data", "--set", "store.log-retention=9999d")) {
            program.with("FOREWARN_URL", serverProcess.url()).with("JDK_JAVA_OPTIONS", "-Xmx64m");
            aSlowReaderDoesNotDelayOthers(program, serverProcess);
            program.run("history", "--format", "csv", "--output", "some.csv", "--until", at(20).toString())
                    .ended(0);
            assertEquals(19 * ENTRIES, rows(folder.resolve("some.csv")));
            String rare = program.run("history", "--event", RARE.toString(), "--json")
                    .ended(0)
                    .out();
            assertTrue(rare.contains("\"m7\""), rare);
            String stretch = program.run(
                            "history", "--since", at(500).toString(), "--until", at(501).toString(), "--limit", "2")
                    .ended(0)
                    .out();
            assertTrue(stretch.contains(at(500).toString()), stretch);
        }
    }

    /** Takes a little, looks elsewhere, takes the rest. */
    private void aSlowReaderDoesNotDelayOthers(Program program, ServerProcess serverProcess) throws Exception {
        HttpURLConnection asked = (HttpURLConnection)
                new URL(serverProcess.url() + "/v1/history?format=jsonl&until=" + at(PAGES + 1)).openConnection();
        asked.setRequestProperty("Authorization", "Bearer " + token(program, serverProcess));
        try (InputStream in = asked.getInputStream();
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            int rows = 0;
            while (rows < 10) {
                lines.readLine();
                rows++;
            }
            program.run("vm", "restart", "FrontEnd_IN_0").ended(0);
            program.run("status").ended(0);
            while (lines.readLine() != null) {
                rows++;
            }
            assertEquals(ROWS, rows);
        }
    }

    private String token(Program program, ServerProcess serverProcess) throws Exception {
        HostPort control = HostPort.parse(serverProcess.control()).orElseThrow();
        return Files.readString(folder.resolve(".forewarn/run/" + control.host() + "_" + control.port() + ".token"))
                .strip();
    }

    private static int rows(Path csv) throws Exception {
        int rows = 0;
        try (BufferedReader lines = Files.newBufferedReader(csv)) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                rows += line.contains(",seen,") ? 1 : 0;
            }
        }
        return rows;
    }

    /** Straight into the store, as commits of their own; spelt once, because so many rows take their time. */
    private void fill() throws Exception {
        String spelt = new String(new JsonFormat().write(new LogPage(1, at(1), entries(), List.of())), UTF_8);
        try (Store store = SqliteStore.open(folder.resolve("data"))) {
            Store.Head head = store.claim();
            for (int p = 1; p <= PAGES; p++) {
                String page = spelt.replaceFirst("\"commit\":1,", "\"commit\":" + p + ",")
                        .replace(at(1).toString(), at(p).toString());
                byte[] value = (p == 3 ? page.replace(event(7).toString(), RARE.toString()) : page).getBytes(UTF_8);
                store.commit(Commit.of(p, head.epoch(), Map.of(LogPage.key(p), value), List.of()));
            }
        }
    }

    private static List<HistoryEntry> entries() {
        List<HistoryEntry> entries = new ArrayList<>(ENTRIES);
        for (int e = 0; e < ENTRIES; e++) {
            entries.add(new HistoryEntry(
                    at(1),
                    HistoryEntry.What.SEEN.name(),
                    new GroupId("default", "web"),
                    event(e),
                    Cause.RESTART,
                    List.of("m" + e),
                    Actor.SERVICE,
                    null,
                    null,
                    null,
                    ""));
        }
        return entries;
    }

    private static Instant at(int page) {
        return START.plusSeconds(120L * page);
    }

    private static EventId event(int entry) {
        return new EventId(new UUID(1, entry));
    }
}
