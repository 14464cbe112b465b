package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.FaultyWebhookReceiver.Manner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the receiver does, and however often the server dies by {@code kill -9} meanwhile: all of it arrives, in order. */
// Takes more than 20 s: failed deliveries back off for seconds before they are retried.
final class WebhookReceiverFailsIT {
    private static final String TIME_LIMIT = "300ms";
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(600);
    private static final int EVENTS_A_ROUND = 4;

    @TempDir
    private Path folder;

    @Test
    void everyNoticeArrivesInOrderThoughTheReceiverFailsAndTheServerIsKilled() throws Exception {
        Random random = new Random(4);
        Server server = new Server(folder, new Fleet(6, 5))
                .set("notifications.allowed-targets", "127.0.0.0/8")
                .set("notifications.timeout", TIME_LIMIT)
                .set("notifications.initial-retry-delay", "20ms")
                .set("notifications.max-retry-delay", "200ms")
                .set("notifications.max-attempts", "1000000")
                .set("terms.notice.reboot", "200ms")
                .set("terms.disable-after", "0s")
                .set("terms.user-operations", "1000")
                .set("clock.resume-grace", "0s")
                .set("driver.simulated.reboot", "200ms");
        try (server;
                FaultyWebhookReceiver bad = new FaultyWebhookReceiver(LATE);
                FaultyWebhookReceiver good = new FaultyWebhookReceiver(LATE)) {
            server.start();
            add(server, "bad", bad);
            add(server, "good", good);
            List<Manner> manners = List.of(
                    Manner.DOWN, Manner.WELL, Manner.FAILS, Manner.HANGS, Manner.LATE, Manner.DOWN, Manner.LATE);
            int machine = 0;
            for (Manner manner : manners) {
                bad.be(manner);
                for (int i = 0; i < EVENTS_A_ROUND; i++) {
                    // Answered, and told to others, although one receiver is as it is.
                    String name = server.fleet().machines().get(machine++).name();
                    String id = server.schedule(name, "restart", "").path("id").asText();
                    Server.await("the other receiver is told of " + id, () -> good.took().stream()
                            .anyMatch(told -> told.startsWith(id)));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(700)));
                server.kill();
                server.start();
            }
            bad.be(Manner.WELL);
            Server.await(
                    "every event is over",
                    () -> server.get("/v1/events").path("events").isEmpty());
            List<String> history = history(server);
            assertTrue(history.size() >= 3 * EVENTS_A_ROUND * manners.size(), history::toString);
            Server.await(
                    "all is told",
                    () -> bad.took().size() == history.size() && good.took().size() == history.size());
            assertEquals(history, bad.took());
            assertEquals(history, good.took());
            assertTrue(bad.copies() > 0, "a late answer makes a second copy, or this test tests nothing");
            assertEquals(0, server.get("/v1/webhooks/bad").path("deadLetters").asInt());
        }
    }

    private static void add(Server server, String name, FaultyWebhookReceiver faultyWebhookReceiver)
            throws IOException {
        BoundConnection.Answer answer = server.post(
                "/v1/webhooks", "{\"name\":\"" + name + "\",\"url\":\"" + faultyWebhookReceiver.url() + "\"}");
        assertEquals(200, answer.status(), answer::body);
    }

    /** The steps of all events, oldest first. */
    private static List<String> history(Server server) throws IOException {
        List<String> told = new ArrayList<>();
        for (JsonNode entry :
                server.get("/v1/history?order=oldest&limit=100000").path("history")) {
            String kind = entry.path("kind").asText();
            if (entry.has("event") && !kind.equals("seen")) {
                told.add(entry.path("event").asText() + " " + kind);
            }
        }
        return told;
    }
}
