package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.core.Eventually;
import io.forewarn.server.control.WebhookReceiver;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on a real etcd: what people hear of notices from the one that does not write. */
class NotificationsOnEveryNodeTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private final List<Service> nodes = new ArrayList<>();
    private ServicesOnEtcd on;
    private Service writer;
    private Service other;

    @BeforeEach
    void startAll() throws Exception {
        on = new ServicesOnEtcd(folder);
        for (int i = 0; i < 2; i++) {
            nodes.add(on.start(
                    Map.of("cluster.lease", "30s", "profile", "test", "notifications.allowed-targets", "127.0.0.0/8")));
        }
        await(() -> !get(nodes.get(0), "/v1/status").path("writer").isNull());
        String named = get(nodes.get(0), "/v1/status").path("writer").asText();
        boolean first = nodes.get(0).control().toString().equals(named);
        writer = nodes.get(first ? 0 : 1);
        other = nodes.get(first ? 1 : 0);
    }

    @AfterEach
    void endAll() {
        nodes.forEach(Service::close);
        if (on != null) {
            on.close();
        }
    }

    private static HttpRequest.Builder request(Service node, String path) throws Exception {
        return ServicesOnEtcd.request(node.control(), "GET", path, "");
    }

    private JsonNode get(Service node, String path) throws Exception {
        return JSON.readTree(on.ask(node.control(), "GET", path, "", 200));
    }

    /** Whatever a busy machine needs to do it: until it is done it is told so, and asks again. */
    private void post(Service node, String path, String body) throws Exception {
        HttpRequest.Builder request = ServicesOnEtcd.request(node.control(), "POST", path, body)
                .header("Idempotency-Key", UUID.randomUUID().toString());
        await(() -> {
            HttpResponse<String> said = on.send(request);
            assertTrue(List.of(200, 409, 503).contains(said.statusCode()), said.body());
            return said.statusCode() != 503;
        });
    }

    private void await(Eventually.Condition condition) {
        eventually(() -> "it never came:\n" + String.join("\n", on.log()), condition);
    }

    /** Each alone and all together say the same. */
    private void awaitFigures(int delivered, int waiting) throws Exception {
        String figures = delivered + " delivered, " + waiting + " waiting, 0 dead";
        for (Service node : nodes) {
            await(() -> figures(get(node, "/v1/webhooks/ops")).equals(figures));
            assertEquals(figures, figures(get(node, "/v1/webhooks").at("/webhooks/0")));
        }
    }

    private static String figures(JsonNode hook) {
        return hook.path("delivered").asText() + " delivered, "
                + hook.path("pending").asText() + " waiting, "
                + hook.path("deadLetters").asText() + " dead";
    }

    @Test
    void theFiguresOfAWebhookAreTheSameWhicheverNodeIsAsked() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            post(
                    other,
                    "/v1/webhooks",
                    "{\"name\":\"ops\",\"kinds\":[\"scheduled\"],\"url\":\"" + receiver.url() + "\"}");
            awaitFigures(0, 0);
            post(other, "/v1/machines/FrontEnd_IN_0/restart", "");
            awaitFigures(1, 0);
            receiver.answers(c -> 500);
            for (String machine : List.of("FrontEnd_IN_1", "BackEnd_IN_0", "db-1")) {
                post(other, "/v1/machines/" + machine + "/restart", "");
            }
            awaitFigures(1, 3);
            receiver.answers(c -> 200);
            awaitFigures(4, 0);
        }
    }

    @Test
    void aReaderThatComesFromANodeThatKnewMoreIsTakenOnceThisOneKnowsItToo() throws Exception {
        int taken = 0;
        for (int i = 0; i < 20 && taken == 0; i++) {
            long next = end() + 1;
            CompletableFuture<HttpResponse<String>> early = on.http()
                    .sendAsync(
                            request(other, "/v1/stream?follow=false")
                                    .header("Last-Event-ID", next + ".0")
                                    .build(),
                            BodyHandlers.ofString());
            post(writer, "/v1/machines/FrontEnd_IN_0/" + (i % 2 == 0 ? "restart" : "freeze"), "");
            HttpResponse<String> said = early.get(60, TimeUnit.SECONDS);
            // On a machine that takes more than three seconds for a commit it is refused, and comes back.
            taken += said.statusCode() == 200 ? 1 : 0;
            assertTrue(said.statusCode() == 200 || said.statusCode() == 400, said.body());
        }
        assertEquals(1, taken);
    }

    @Test
    void aPlaceThatNeverComesIsRefusedByEveryNode() throws Exception {
        for (Service node : nodes) {
            HttpRequest.Builder far = request(node, "/v1/stream").header("Last-Event-ID", "123456789.0");
            HttpResponse<String> said = on.send(far);
            assertEquals(400, said.statusCode(), said.body());
            assertTrue(said.body().contains("has not reached 123456789.0"), said.body());
            assertFalse(said.body().contains("id: "), said.body());
        }
    }

    /** Where the stream of the node that does not write stands. */
    private long end() throws Exception {
        HttpResponse<String> now = on.send(request(other, "/v1/stream?follow=false"));
        Matcher mark = Pattern.compile("id: (\\d+)\\.").matcher(now.body());
        assertTrue(mark.find(), now.body());
        return Long.parseLong(mark.group(1));
    }
}
