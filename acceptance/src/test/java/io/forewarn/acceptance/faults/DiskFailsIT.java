package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, read-only, damaged, slow, or fail: writers are told, readers are served, nothing promised is lost. */
// Takes more than 20 s: each fault has a server of its own, and slow disks are slow.
class DiskFailsIT {
    private static final String ADDRESS = "127.0.1.11";

    @TempDir
    private Path folder;

    @Test
    void onAFullDiskWritesAreRefusedAndReadsAreServed() throws Exception {
        try (Server server = server()) {
            server.through(Disk.small(server.store(), "24m")).start();
            Path filler = Disk.seenBy(server, server.store().resolve("filler"));
            survives(server, () -> Disk.fill(filler), () -> Files.delete(filler), "is full");
        }
    }

    /** What became of the command that met the fault is not known until the disk is well again: it is told so within seconds. */
    @Test
    void onAReadOnlyStoreWritesAreRefusedAndReadsAreServed() throws Exception {
        List<Disk.Fault> fault = new ArrayList<>();
        try (Server server = server().start();
                BoundConnection uncertain = server.operator()) {
            survives(
                    server,
                    () -> {
                        fault.add(Disk.inject(server, folder.resolve("trace"), "pwrite64", "error=EROFS"));
                        uncertain.send(("POST /v1/machines/set1_59/restart HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n"
                                        + "Authorization: " + server.token().get("Authorization") + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                        Server.await("the server notices", () -> server.get("/v1/status")
                                .hasNonNull("storeError"));
                        BoundConnection.Answer truth = uncertain.answer();
                        assertEquals(503, truth.status(), truth::body);
                        assertTrue(truth.body().contains("outcome-unknown"), truth::body);
                    },
                    () -> fault.get(0).close(),
                    "does not accept writes");
        } finally {
            fault.forEach(Disk.Fault::close);
        }
    }

    @Test
    void afterFailedSyncsAllResponsesWereTrue() throws Exception {
        try (Server server = server().start()) {
            server.poll(ADDRESS);
            List<String> acknowledged = new ArrayList<>();
            int told = 0;
            Path trace = folder.resolve("trace");
            try (Disk.Fault fault = Disk.inject(server, trace, "fdatasync,fsync", "error=EIO:when=2+7")) {
                for (int i = 0; i < 40; i++) {
                    BoundConnection.Answer answer =
                            server.post("/v1/machines/set0_" + i + "/restart", "{\"notice\":\"1h\"}");
                    if (answer.status() == 200) {
                        acknowledged.add(Server.json(answer)
                                .path("events")
                                .path(0)
                                .path("id")
                                .asText());
                    } else {
                        assertEquals(503, answer.status(), answer::body);
                        assertNotNull(answer.header("retry-after"));
                        told++;
                    }
                    assertEquals(200, server.poll(ADDRESS).status());
                }
                assertTrue(fault.struck() > 0, "no sync failed");
            }
            assertFalse(acknowledged.isEmpty());
            assertEquals(40, acknowledged.size() + told);
            assertOpen(server, acknowledged);
            server.kill();
            server.start();
            assertOpen(server, acknowledged);
        }
    }

    /** What a power cut would leave is what callers were told: the log is written and synced, then they are answered. */
    @Test
    void theSyncToDiskComesBeforeTheAnswer() throws Exception {
        Path trace = folder.resolve("trace");
        try (Server server = server().start()) {
            server.poll(ADDRESS);
            try (Disk.Fault watch = Disk.watch(server, trace, "pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg")) {
                for (int i = 0; i < 20; i++) {
                    server.schedule("set0_" + i, "restart", "{\"notice\":\"1h\"}");
                }
                assertEquals(0, watch.struck());
            }
        }
        int answers = 0;
        boolean written = false;
        boolean synced = false;
        Set<String> syncing = new HashSet<>();
        for (String call : Files.readAllLines(trace)) {
            String thread = call.substring(0, call.indexOf(' '));
            boolean log = call.contains("forewarn.db-wal>");
            if (log && call.contains("pwrite64(")) {
                written = true;
                synced = false;
            } else if (log && call.contains("sync(") && call.contains("<unfinished")) {
                syncing.add(thread);
            } else if (log && call.matches(".* f(data)?sync\\(.*= 0")
                    || call.matches(".*sync resumed>.*= 0") && syncing.remove(thread)) {
                synced = true;
            } else if (call.contains("HTTP/1.1 200")) {
                assertTrue(written && synced, "answered before it was written and synced: " + call);
                answers++;
                written = false;
            }
        }
        assertEquals(20, answers);
    }

    /** Notice is a true minimum: it counts from when the event can be read. */
    @Test
    void aSlowDiskMovesNotBefore() throws Exception {
        try (Server server = server().start()) {
            server.poll(ADDRESS);
            JsonNode event;
            Instant asked = Instant.now();
            try (Disk.Fault fault =
                    Disk.inject(server, folder.resolve("trace"), "fdatasync,fsync", "delay_enter=3000000")) {
                event = server.schedule("set0_0", "restart", "{\"notice\":\"4s\"}");
                Instant answered = Instant.now();
                assertTrue(fault.struck() > 0, "no sync was slow");
                String id = event.path("id").asText();
                Instant least = answered.minusMillis(500).plus(Duration.ofSeconds(4));
                Server.await(
                        "its NotBefore has moved", () -> !notBefore(server, id).isBefore(least));
                Server.await("it has started, although the disk is still slow", () -> what(server, id)
                        .contains("started-by-time"));
                assertEquals(
                        1, what(server, id).stream().filter("moved"::equals).count(), () -> "moved more than once");
                JsonNode start = entry(server, id, "started-by-time");
                Instant at = Instant.parse(start.path("at").asText());
                assertFalse(
                        at.isBefore(least),
                        () -> "asked at " + asked + ", readable at " + answered + ", started at " + at);
            }
        }
    }

    @Test
    void aDamagedStoreIsRefusedWithASentenceAndLeftAlone() throws Exception {
        try (Server server = server().start()) {
            server.poll(ADDRESS);
            server.schedule("set0_0", "restart", "{\"notice\":\"1h\"}");
            server.signal("TERM");
            assertTrue(server.process().waitFor(30, TimeUnit.SECONDS));

            Path file = server.store().resolve("forewarn.db");
            Disk.damage(file);
            byte[] damaged = Files.readAllBytes(file);
            Process refused = server.launch();
            assertTrue(refused.waitFor(60, TimeUnit.SECONDS));
            assertEquals(1, refused.exitValue(), server::log);
            assertTrue(
                    server.log().contains("is damaged") && server.log().contains("Restore it from a copy"),
                    server::log);
            assertArrayEquals(damaged, Files.readAllBytes(file));
        }
    }

    @Test
    void aStoreDamagedWhileServingStopsNoReader() throws Exception {
        try (Server server = server().start()) {
            server.poll(ADDRESS);
            server.schedule("set0_0", "restart", "{\"notice\":\"1h\"}");
            String document = server.poll(ADDRESS).body();
            for (String name : List.of("forewarn.db", "forewarn.db-wal")) {
                Disk.damage(server.store().resolve(name));
            }
            for (int i = 1; i < 20; i++) {
                int status = server.post("/v1/machines/set1_" + i + "/restart", "{\"notice\":\"1h\"}")
                        .status();
                assertTrue(status == 200 || status == 503, "answered " + status + server.log());
                assertEquals(document, server.poll(ADDRESS).body());
            }
            try (BoundConnection connection = server.operator()) {
                int status = connection
                        .ask("GET", "/v1/history", server.token(), null)
                        .status();
                assertTrue(status == 200 || status == 503, "answered " + status + server.log());
            }
            assertTrue(server.process().isAlive());
        }
    }

    private interface Step {
        void take() throws Exception;
    }

    /** Before, while and after the disk does not accept writes. */
    private void survives(Server server, Step worsen, Step heal, String sentence) throws Exception {
        server.poll(ADDRESS);
        List<String> acknowledged = new ArrayList<>();
        acknowledged.add(server.schedule("set0_0", "restart", "{\"notice\":\"1h\"}")
                .path("id")
                .asText());
        String document = server.poll(ADDRESS).body();

        worsen.take();
        BoundConnection.Answer refused = null;
        for (int i = 1; i < 60 && (refused == null || refused.status() == 200); i++) {
            refused = server.post("/v1/machines/set1_" + i + "/restart", "{\"notice\":\"1h\"}");
            if (refused.status() == 200) {
                acknowledged.add(
                        Server.json(refused).path("events").path(0).path("id").asText());
            }
        }
        assertEquals(503, refused.status(), refused::body);
        assertNotNull(refused.header("retry-after"));
        assertTrue(refused.body().contains(sentence), refused::body);
        approvalIsRefused(server, acknowledged.get(0));
        for (int i = 0; i < 20; i++) {
            assertEquals(document, server.poll(ADDRESS).body());
        }
        assertTrue(server.get("/v1/status").hasNonNull("storeError"), "the status says nothing of it");

        heal.take();
        Server.await(
                "writes work again",
                () -> server.post("/v1/machines/set0_1/restart", "{\"notice\":\"1h\"}")
                                .status()
                        == 200);
        assertNotEquals(document, server.poll(ADDRESS).body());
        assertFalse(server.get("/v1/status").hasNonNull("storeError"));
        assertOpen(server, acknowledged);
    }

    private static void approvalIsRefused(Server server, String event) throws IOException {
        try (BoundConnection connection = server.machine(ADDRESS)) {
            String body = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
            BoundConnection.Answer answer = connection.ask("POST", Server.POLL, Server.MACHINE, body);
            assertEquals(503, answer.status(), answer::body);
            assertNotNull(answer.header("retry-after"));
        }
    }

    private Server server() throws IOException {
        return new Server(folder, new Fleet(2, 60))
                .set("terms.notice.reboot", "1s")
                .set("terms.user-operations", "1000")
                .set("terms.disable-after", "0s")
                .set("clock.resume-grace", "200ms");
    }

    private static void assertOpen(Server server, List<String> events) throws IOException {
        List<String> open = new ArrayList<>();
        server.get("/v1/events")
                .path("events")
                .forEach(event -> open.add(event.path("id").asText()));
        assertTrue(open.containsAll(events), () -> "acknowledged " + events + ", open " + open);
    }

    private static Instant notBefore(Server server, String event) throws IOException {
        return Instant.parse(server.get("/v1/events/" + event).path("notBefore").asText());
    }

    private static List<String> what(Server server, String event) throws IOException {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        List<String> what = new ArrayList<>();
        server.get("/v1/history?event=" + event + "&order=oldest")
                .path("history")
                .forEach(e -> what.add(e.path("kind").asText()));
        return what;
    }

    private static JsonNode entry(Server server, String event, String what) throws IOException {
        for (JsonNode entry : server.get("/v1/history?event=" + event).path("history")) {
            if (entry.path("kind").asText().equals(what)) {
                return entry;
            }
        }
        throw new AssertionError("no " + what);
    }
}
