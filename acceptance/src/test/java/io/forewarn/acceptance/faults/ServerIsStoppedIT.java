package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process is paused, asked to end, or there is already another one. */
// Takes more than 20 s: a stopped process must stay stopped for longer than the stall limit.
class ServerIsStoppedIT {
    @TempDir
    private Path folder;

    @Test
    void aPausedProcessStartsNothingEarlyAndServesAgain() throws Exception {
        try (Server server = quick(folder).start()) {
            server.poll("127.0.1.11");
            String before = server.schedule("set0_0", "restart", "{\"notice\":\"4s\"}")
                    .path("id")
                    .asText();
            server.signal("STOP");
            try (BoundConnection waiting = server.machine("127.0.1.11")) {
                waiting.send(("GET " + Server.POLL + " HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n\r\n").getBytes());
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
                server.signal("CONT");
                assertEquals(200, waiting.answer().status());
            }
            String after = server.schedule("set1_0", "restart", "{\"notice\":\"1s\"}")
                    .path("id")
                    .asText();
            startedInTime(server, before);
            startedInTime(server, after);
        }
    }

    /** Paused for longer than the notice: it starts once, late. */
    @Test
    void aPauseAcrossNotBeforeDelaysTheStart() throws Exception {
        try (Server server = quick(folder).start()) {
            server.poll("127.0.1.11");
            String event = server.schedule("set0_0", "restart", "{\"notice\":\"1s\"}")
                    .path("id")
                    .asText();
            server.signal("STOP");
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
            assertTrue(server.process().isAlive());
            server.signal("CONT");
            startedInTime(server, event);
        }
    }

    /** Stopped for so long that nobody could read what was announced: that is no notice. */
    @Test
    void aLongPauseDoesNotCountAsNotice() throws Exception {
        try (Server server = quick(folder).start()) {
            server.poll("127.0.1.11");
            JsonNode event = server.schedule("set0_0", "restart", "{\"notice\":\"2s\"}");
            server.signal("STOP");
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(7));
            server.signal("CONT");
            String id = event.path("id").asText();
            startedInTime(server, id);
            JsonNode started = started(server, id).get(0);
            Instant readable = Instant.parse(started.path("notBefore").asText()).minusSeconds(2);
            // NotBefore is in whole seconds, and the process needed a moment to stop.
            assertTrue(
                    Instant.parse(started.path("at").asText()).isAfter(readable.plusSeconds(2 + 6)),
                    () -> started.toString());
            assertTrue(server.log().contains("nothing was answered for"), server::log);
        }
    }

    @Test
    void aSecondServerOnTheSameStoreIsRefused() throws Exception {
        try (Server first = quick(folder).start()) {
            first.poll("127.0.1.11");
            Path elsewhere = Files.createDirectories(folder.resolve("second"));
            try (Server second = quick(elsewhere).onStoreOf(first)) {
                Process process = second.launch();
                assertTrue(process.waitFor(60, TimeUnit.SECONDS));
                assertEquals(1, process.exitValue(), second::log);
                assertTrue(second.log().contains("in use by process " + first.pid()), second::log);
            }
            assertEquals(200, first.post("/v1/machines/set0_0/restart", "{}").status());
            assertEquals(200, first.poll("127.0.1.11").status());
        }
    }

    @Test
    void askedToEndItEndsAlthoughRequestsAreHeld() throws Exception {
        List<BoundConnection> held = new ArrayList<>();
        try (Server server = quick(folder).start()) {
            String etag = server.poll("127.0.1.11").header("etag");
            String event = server.schedule("set1_0", "restart", "{\"notice\":\"1h\"}")
                    .path("id")
                    .asText();
            String request = "GET " + Server.POLL + " HTTP/1.1\r\nHost: x\r\nMetadata: true\r\nPrefer: wait=200\r\n"
                    + "If-None-Match: " + etag + "\r\n\r\n";
            for (int i = 0; i < 8; i++) {
                BoundConnection connection = server.machine("127.0.1.11");
                connection.send(request.getBytes());
                held.add(connection);
            }
            server.signal("TERM");
            assertTrue(server.process().waitFor(10, TimeUnit.SECONDS), "it did not end in ten seconds" + server.log());
            assertTrue(server.log().strip().endsWith("ended"), server::log);

            server.start();
            assertEquals(
                    "scheduled",
                    server.get("/v1/events/" + event).path("status").asText());
        } finally {
            held.forEach(BoundConnection::close);
        }
    }

    private static Server quick(Path folder) throws IOException {
        return new Server(folder, new Fleet(2, 2))
                .set("terms.notice.reboot", "1s")
                .set("clock.resume-grace", "200ms")
                .set("terms.disable-after", "0s");
    }

    /** Once, by time, and not before the notice was over. */
    private static void startedInTime(Server server, String event) throws IOException {
        Server.await("it has started", () -> !started(server, event).isEmpty());
        List<JsonNode> starts = started(server, event);
        assertEquals(1, starts.size());
        Instant at = Instant.parse(starts.get(0).path("at").asText());
        Instant notBefore = Instant.parse(starts.get(0).path("notBefore").asText());
        assertFalse(at.isBefore(notBefore), () -> starts.toString());
    }

    private static List<JsonNode> started(Server server, String event) throws IOException {
        List<JsonNode> starts = new ArrayList<>();
        server.get("/v1/history?event=" + event + "&order=oldest")
                .path("history")
                .forEach(entry -> {
                    if (entry.path("kind").asText().startsWith("started")) {
                        starts.add(entry);
                    }
                });
        return starts;
    }
}
