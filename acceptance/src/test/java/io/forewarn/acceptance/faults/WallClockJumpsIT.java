package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine's clock is set far ahead: nothing is deleted, expired or started by that, and people are told. */
// Takes more than 20 s: servers are started again under other clocks, and notice must really pass.
class WallClockJumpsIT {
    private static final Duration FAR = Duration.ofDays(400);

    @TempDir
    private Path folder;

    @Test
    void aClockThatJumpsAYearAheadHarmsNothing() throws Exception {
        assumeTrue(FakeClock.isInstalled(), "libfaketime is not installed: sudo apt-get install faketime");
        FakeClock clock = new FakeClock(folder.resolve("clock"));
        try (Server server = new Server(folder, new Fleet(1, 2)).through(clock.wrapper())) {
            server.start();
            server.poll("127.0.1.11");
            String token = secret(server);
            String event = server.schedule("set0_0", "restart", "{\"notice\":\"1h\"}")
                    .path("id")
                    .asText();
            int history = history(server);

            clock.shift(FAR);
            awaitFinding(server, "400d ahead of service time");
            nothingIsLost(server, token, event, history);
            server.schedule("set0_1", "freeze", "{}");
            assertEquals(
                    "scheduled",
                    server.get("/v1/events?machine=set0_1")
                            .path("events")
                            .path(0)
                            .path("status")
                            .asText(),
                    "its group is not silent");

            clock.shift(Duration.ZERO);
            awaitFinding(server, "set back by 400d");
            server.kill();
            clock.shift(FAR);
            server.start();
            awaitFinding(server, "400d ahead of service time");
            nothingIsLost(server, token, event, history);

            assertEquals(200, server.post("/v1/clock/repair", "{}").status());
            assertTrue(now(server).isAfter(Instant.now().plus(Duration.ofDays(399))), "a person's word is enough");
            assertEquals(
                    "scheduled",
                    server.get("/v1/events/" + event).path("status").asText(),
                    "and starts nothing");
            assertTrue(history(server) > history);
            JsonNode proof = server.get("/v1/audit/verify");
            assertTrue(proof.path("intact").asBoolean(), proof::toString);
            assertEquals(0, proof.path("droppedPages").asInt(), proof::toString);
        }
    }

    /** So little that a running service would draw nearer to it: a restart is no reason to take it at once. */
    @Test
    void aClockThatIsSetNineMinutesAheadMovesNothingByTwoRestarts() throws Exception {
        assumeTrue(FakeClock.isInstalled(), "libfaketime is not installed: sudo apt-get install faketime");
        Duration step = Duration.ofSeconds(570);
        FakeClock clock = new FakeClock(folder.resolve("clock"));
        try (Server server = new Server(folder, new Fleet(1, 2)).through(clock.wrapper())) {
            server.start();
            server.poll("127.0.1.11");
            String event = server.schedule("set0_0", "restart", "{\"notice\":\"15m\"}")
                    .path("id")
                    .asText();
            server.kill();
            clock.shift(step);
            for (int restarts = 0; restarts < 2; restarts++) {
                server.start();
                awaitFinding(server, "set forward by 9m");
                String token = "{\"name\":\"t" + restarts + "\",\"role\":\"viewer\"}";
                assertEquals(200, server.post("/v1/tokens", token).status(), "a page of the log is written");
                // It goes faster by a tenth of the time that passes, so minutes later it would still be behind.
                assertTrue(
                        now(server).isBefore(Instant.now().plus(step.dividedBy(2))),
                        "service time goes on by the uptime");
                assertEquals(
                        "scheduled",
                        server.get("/v1/events/" + event).path("status").asText());
                server.kill();
            }
        }
    }

    private static void nothingIsLost(Server server, String token, String event, int history) throws IOException {
        assertTrue(now(server).isBefore(Instant.now().plus(Duration.ofHours(1))), "service time goes on");
        try (BoundConnection connection = server.operator()) {
            assertEquals(
                    200,
                    connection
                            .ask("GET", "/v1/status", Map.of("Authorization", "Bearer " + token), null)
                            .status(),
                    "the token holds for another 90 days");
        }
        assertEquals(
                "scheduled", server.get("/v1/events/" + event).path("status").asText());
        assertTrue(history(server) >= history);
    }

    private static String secret(Server server) throws IOException {
        return Server.json(server.post("/v1/tokens", "{\"name\":\"eyes\",\"role\":\"viewer\",\"expiresIn\":\"90d\"}"))
                .path("secret")
                .asText();
    }

    private static int history(Server server) throws IOException {
        return server.get("/v1/history").path("history").size();
    }

    private static Instant now(Server server) throws IOException {
        return Instant.parse(server.get("/v1/status").path("now").asText());
    }

    private static void awaitFinding(Server server, String text) throws IOException {
        Server.await(
                "doctor says " + text, () -> server.get("/v1/doctor").toString().contains(text));
    }
}
