package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.server.control.WebhookReceiver.Came;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WebhookApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harnessWith(String... settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of(
                "notifications.allowed-targets",
                "127.0.0.0/8",
                "notifications.initial-retry-delay",
                "20ms",
                "notifications.timeout",
                "1s"));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return new ControlHarness(folder, all);
    }

    private static Reply add(ControlHarness harness, String name, WebhookReceiver receiver, String more)
            throws Exception {
        return harness.post(
                "/v1/webhooks", "{\"name\":\"" + name + "\",\"url\":\"" + receiver.url() + "\"" + more + "}");
    }

    @Test
    void aWebhookReceivesLaterEntriesAsSignedCloudEvents() throws Exception {
        try (ControlHarness harness = harnessWith();
                WebhookReceiver receiver = new WebhookReceiver()) {
            harness.post("/v1/machines/FrontEnd_IN_1/freeze", "");
            Reply added = add(harness, "ops", receiver, "");
            assertEquals(200, added.status(), added.error());
            String secret = added.json().path("secret").asText();
            String event = harness.post("/v1/machines/FrontEnd_IN_0/restart", "")
                    .json()
                    .at("/events/0/id")
                    .asText();
            receiver.await(1);
            Came came = receiver.came().get(0);
            assertEquals("application/cloudevents+json; charset=utf-8", came.type());
            JsonNode json = came.json();
            assertEquals("1.0", json.path("specversion").asText());
            assertEquals("io.forewarn.event.scheduled", json.path("type").asText());
            assertEquals(event, json.path("subject").asText());
            assertEquals("/forewarn", json.path("source").asText());
            assertEquals("FrontEnd_IN_0", json.at("/data/machines/0").asText());
            assertEquals(json.path("id").asText(), came.id());
            assertEquals(signature(secret, came), came.signature());
            assertFalse(harness.get("/v1/webhooks/ops").response().body().contains(secret));
            assertFalse(harness.get("/v1/webhooks").response().body().contains(secret));
        }
    }

    @Test
    void aChatReceivesASignedMessageInItsOwnFormat() throws Exception {
        try (ControlHarness harness = harnessWith("notifications.timeout", "30s");
                WebhookReceiver receiver = new WebhookReceiver()) {
            Reply added = add(harness, "chat", receiver, ",\"format\":\"slack\",\"zone\":\"Asia/Tokyo\"");
            assertEquals("slack", added.json().path("format").asText(), added.error());
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            receiver.await(1);
            Came came = receiver.came().get(0);
            assertEquals("application/json; charset=utf-8", came.type());
            String text = came.json().path("text").asText();
            assertTrue(
                    text.matches("Forewarn: reboot of FrontEnd_IN_0 is scheduled for .* \\d\\d:\\d\\d Asia/Tokyo"),
                    text);
            assertEquals("section", came.json().at("/blocks/0/type").asText());
            assertEquals("mrkdwn", came.json().at("/blocks/1/fields/0/type").asText());
            assertEquals(signature(added.json().path("secret").asText(), came), came.signature());
            assertTrue(harness.post("/v1/webhooks/chat/test", "")
                    .json()
                    .path("delivered")
                    .asBoolean());
            assertTrue(receiver.came().get(1).json().path("text").asText().contains("nothing happened"));
            Reply wrong = add(harness, "other", receiver, ",\"format\":\"teams\"");
            assertEquals(400, wrong.status());
            assertEquals("format must be cloudevents or slack, not 'teams'", wrong.error());
            assertTrue(add(harness, "other", receiver, ",\"digest\":\"daily\"")
                    .error()
                    .startsWith("a webhook gets each notification at once"));
        }
    }

    private static String signature(String secret, Came came) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        signed.write((came.id() + "." + came.timestamp() + ".").getBytes(StandardCharsets.UTF_8));
        signed.write(came.body());
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
    }

    @Test
    void failedDeliveriesAreRetriedWithTheSameIdAndInOrder() throws Exception {
        try (ControlHarness harness = harnessWith();
                WebhookReceiver receiver = new WebhookReceiver()) {
            AtomicInteger count = new AtomicInteger();
            // An error, a redirect, no answer in time, then all is well.
            receiver.answers(c -> List.of(500, 302, 0, 200).get(Math.min(3, count.getAndIncrement())));
            add(harness, "ops", receiver, "");
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
            receiver.await(6);
            assertEquals(
                    List.of(
                            "io.forewarn.event.scheduled",
                            "io.forewarn.event.scheduled",
                            "io.forewarn.event.scheduled",
                            "io.forewarn.event.scheduled",
                            "io.forewarn.event.started",
                            "io.forewarn.event.completed"),
                    receiver.types());
            assertEquals(
                    3,
                    new LinkedHashSet<>(receiver.came().stream().map(Came::id).toList()).size());
            assertTrue(receiver.came().stream().allMatch(c -> c.path().equals("/hook")), "no redirect is followed");
        }
    }

    @Test
    void afterTheLastAttemptANotificationIsADeadLetterAndTheNextIsSent() throws Exception {
        try (ControlHarness harness = harnessWith("notifications.max-attempts", "3");
                WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.answers(c -> c.json().path("type").asText().endsWith("scheduled") ? 500 : 200);
            add(harness, "ops", receiver, "");
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            harness.post("/v1/clock/advance", "{\"by\":\"15m\"}");
            receiver.await(4);
            assertEquals("io.forewarn.event.started", receiver.types().get(3));
            JsonNode letter =
                    harness.get("/v1/webhooks/ops/dead-letters").json().at("/deadLetters/0");
            assertEquals("scheduled", letter.path("kind").asText());
            assertEquals("it answered 500", letter.path("error").asText());
            assertEquals(3, letter.path("attempts").asInt());
            assertEquals(
                    1,
                    harness.get("/v1/webhooks/ops").json().path("deadLetters").asInt());

            receiver.answers(c -> 200);
            Reply resent = harness.post(
                    "/v1/webhooks/ops/resend",
                    "{\"ids\":[\"" + letter.path("id").asText() + "\"]}");
            assertEquals(1, resent.json().path("changes").asInt(), resent.error());
            receiver.await(5);
            assertEquals(receiver.came().get(0).id(), receiver.came().get(4).id());
            awaitDead(harness, 0);
            System.gc(); // What the registry does not hold on to would be gone now.
            String metrics = harness.get("/metrics").response().body();
            assertTrue(metrics.contains("forewarn_notifications_delivered_total{channel=\"webhook\"} 2.0"), metrics);
            assertTrue(metrics.contains("forewarn_notification_failures_total{channel=\"webhook\"} 3.0"), metrics);
            assertTrue(metrics.contains("forewarn_notifications_dead_total{channel=\"webhook\"} 1.0"), metrics);
            assertTrue(metrics.contains("forewarn_notifications_lag_seconds{channel=\"webhook\"} 0.0"), metrics);
            assertEquals(
                    0,
                    harness.get("/v1/webhooks/ops/dead-letters")
                            .json()
                            .path("deadLetters")
                            .size());
            assertEquals(
                    404,
                    harness.post("/v1/webhooks/ops/resend", "{\"ids\":[\"1.0\"]}")
                            .status());
        }
    }

    @Test
    void aResentDeadLetterArrivesOnceWhateverSubscriptionsChange() throws Exception {
        try (ControlHarness harness = harnessWith("notifications.max-attempts", "1");
                WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.answers(c -> 500);
            add(harness, "ops", receiver, ",\"kinds\":[\"scheduled\"]");
            for (int i = 0; i < 3; i++) {
                harness.post("/v1/machines/FrontEnd_IN_" + i % 2 + "/restart", "");
                harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
                awaitDead(harness, i + 1);
            }
            receiver.answers(c -> 200);
            for (int round = 0; round < 2; round++) {
                int before = receiver.came().size();
                int letters = 3 - 2 * round;
                assertEquals(
                        letters,
                        harness.post("/v1/webhooks/ops/resend", "")
                                .json()
                                .path("changes")
                                .asInt());
                receiver.await(before + letters);
                for (int i = 0; i < 5; i++) {
                    add(harness, "other", receiver, ",\"kinds\":[\"rollout-done\"]");
                    harness.post("/v1/webhooks/ops/resend", "");
                    harness.delete("/v1/webhooks/other");
                }
                awaitDead(harness, 0);
                assertEquals(
                        0,
                        harness.post("/v1/webhooks/ops/resend", "")
                                .json()
                                .path("changes")
                                .asInt());
                assertEquals(before + letters, receiver.came().size());
                assertEquals(
                        0,
                        harness.get("/v1/webhooks/ops")
                                .json()
                                .path("deadLetters")
                                .asInt());

                receiver.answers(c -> 500);
                harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
                awaitDead(harness, 1);
                assertEquals(
                        1,
                        harness.get("/v1/webhooks/ops")
                                .json()
                                .path("deadLetters")
                                .asInt());
                harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
                receiver.answers(c -> 200);
            }
        }
    }

    private static void awaitDead(ControlHarness harness, int count) throws Exception {
        eventually(() -> harness.get("/v1/webhooks/ops/dead-letters")
                        .json()
                        .path("deadLetters")
                        .size()
                == count);
    }

    @Test
    void afterARestartItGoesOnWhereItWas() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            try (ControlHarness harness = harnessWith()) {
                add(harness, "ops", receiver, "");
                harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
                receiver.await(1);
                receiver.answers(c -> 503);
                harness.post("/v1/clock/advance", "{\"by\":\"15m\"}");
                receiver.await(2);
            }
            receiver.answers(c -> 200);
            int before = receiver.came().size();
            try (ControlHarness harness = harnessWith()) {
                receiver.await(before + 1);
                assertEquals("io.forewarn.event.started", receiver.types().get(before));
                harness.post("/v1/machines/FrontEnd_IN_1/restart", "");
                receiver.await(before + 2);
                assertEquals("io.forewarn.event.scheduled", receiver.types().get(before + 1));
                assertEquals(
                        0,
                        harness.get("/v1/webhooks/ops")
                                .json()
                                .path("deadLetters")
                                .asInt());
            }
        }
    }

    @Test
    void theBacklogIsCountedEvenAfterARestart() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.answers(c -> 500);
            try (ControlHarness harness = harnessWith()) {
                add(harness, "ops", receiver, ",\"kinds\":[\"policy-set\"]");
                for (int i = 1; i <= 100; i++) {
                    harness.post("/v1/policies", "{\"notice\":\"" + (15 + i) + "m\"}");
                }
                harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
                awaitFigures(harness, 0, 100);
            }
            try (ControlHarness harness = harnessWith()) {
                awaitFigures(harness, 0, 100);
                receiver.answers(c -> 200);
                awaitFigures(harness, 100, 0);
                assertEquals(
                        "100",
                        harness.get("/v1/webhooks")
                                .json()
                                .at("/webhooks/0/delivered")
                                .asText());
            }
        }
    }

    private static void awaitFigures(ControlHarness harness, int delivered, int waiting) throws Exception {
        eventually(
                () -> harness.get("/v1/webhooks/ops").json(),
                hook -> hook.path("delivered").asInt(-1) == delivered
                        && hook.path("pending").asInt(-1) == waiting);
    }

    @Test
    void onlyWhatIsWantedIsSent() throws Exception {
        try (ControlHarness harness = harnessWith();
                WebhookReceiver receiver = new WebhookReceiver()) {
            harness.put("/v1/groups/pay?tenant=shop", "{\"kind\":\"single\"}");
            harness.put("/v1/machines/pay-1?tenant=shop", "{\"group\":\"pay\",\"addresses\":[\"127.0.3.1\"]}");
            assertEquals(
                    200,
                    add(harness, "ends", receiver, ",\"kinds\":[\"completed\"],\"groups\":[\"web\"]")
                            .status());
            assertEquals(
                    200,
                    add(harness, "shop", receiver, ",\"tenant\":\"shop\",\"kinds\":[\"all\"]")
                            .status());
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            harness.post("/v1/machines/pay-1/restart?tenant=shop", "");
            harness.post("/v1/clock/advance", "{\"by\":\"15m\"}");
            harness.post("/v1/clock/advance", "{\"by\":\"90s\"}");
            receiver.await(4);
            Map<String, Integer> counts = new HashMap<>();
            receiver.came()
                    .forEach(c -> counts.merge(
                            c.json().at("/data/tenant").asText() + " "
                                    + c.json().path("type").asText().replaceAll(".*\\.", ""),
                            1,
                            Integer::sum));
            assertEquals(
                    Map.of("default completed", 1, "shop scheduled", 1, "shop started", 1, "shop completed", 1),
                    counts);
        }
    }

    @Test
    void aTestIsSentAtOnceAndItsResultReturned() throws Exception {
        try (ControlHarness harness = harnessWith();
                WebhookReceiver receiver = new WebhookReceiver()) {
            add(harness, "ops", receiver, "");
            assertTrue(harness.post("/v1/webhooks/ops/test", "")
                    .json()
                    .path("delivered")
                    .asBoolean());
            assertEquals("io.forewarn.test", receiver.types().get(0));
            receiver.answers(c -> 403);
            JsonNode refused = harness.post("/v1/webhooks/ops/test", "").json();
            assertFalse(refused.path("delivered").asBoolean());
            assertEquals("it answered 403", refused.path("error").asText());
            assertNotEquals(receiver.came().get(0).id(), receiver.came().get(1).id());
        }
    }

    @Test
    void anOwnerManagesThoseOfItsTenantAndSeesNoOther() throws Exception {
        try (ControlHarness harness = harnessWith();
                WebhookReceiver receiver = new WebhookReceiver()) {
            String owner = harness.post("/v1/tokens", "{\"name\":\"shop-owner\",\"tenant\":\"shop\"}")
                    .json()
                    .path("secret")
                    .asText();
            add(harness, "ops", receiver, "");
            String body = "{\"name\":\"mine\",\"url\":\"" + receiver.url() + "\"}";
            Reply mine = harness.ask("POST", "/v1/webhooks", body, owner, Map.of());
            assertEquals("shop", mine.json().path("tenant").asText());
            Reply all = harness.ask("GET", "/v1/webhooks", "", owner, Map.of());
            assertEquals(1, all.json().path("webhooks").size());
            Reply others = harness.ask("GET", "/v1/webhooks/ops", "", owner, Map.of());
            assertEquals(404, others.status());
            Reply everybody =
                    harness.ask("POST", "/v1/webhooks", body.replace("}", ",\"tenant\":\"*\"}"), owner, Map.of());
            assertEquals(404, everybody.status());
            assertEquals(
                    200,
                    harness.ask("DELETE", "/v1/webhooks/mine", "", owner, Map.of())
                            .status());
            assertEquals(
                    404,
                    harness.ask("DELETE", "/v1/webhooks/mine", "", owner, Map.of())
                            .status());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hooks.example.org/x           | put https:// in front: https://hooks.example.org/x
            hooks.example.org:8443/x      | put https:// in front: https://hooks.example.org:8443/x
            192.0.3.1:9000                | put https:// in front: https://192.0.3.1:9000
            mailto:ops@example.org        | the URL must begin with https:// or http://, not 'mailto:'
            https:/hooks.example.org      | the URL has no host
            ftp://example.org/x           | the URL must begin with https:// or http://, not 'ftp:'
            https://u:p@example.org/      | the URL contains a user
            https:///x                    | the URL has no host
            https://                      | is not a URL
            http://exa mple.org           | is not a URL
            https://example.org/#x        | part after '#'
            http://example.org:70000/     | port
            http://10.1.2.3/              | 10.1.2.3 is private; webhooks may be sent there only if the operator lists it
            http://169.254.169.254/x      | link-local
            http://[::1]:9/               | loopback
            http://[::ffff:10.0.0.1]/     | private
            http://0.0.0.0/               | unspecified
            http://224.0.0.1/             | multicast
            http://[fd00::1]/             | private
            http://[64:ff9b::7f00:1]/     | loopback
            """)
    void aTargetThatMayNotBeIsRefusedWithTheReason(String url, String why) throws Exception {
        try (ControlHarness harness = new ControlHarness(folder, Map.of())) {
            Reply reply = harness.post("/v1/webhooks", "{\"name\":\"x\",\"url\":\"" + url + "\"}");
            assertEquals(400, reply.status());
            assertTrue(reply.error().contains(why), reply.error());
            assertEquals(0, harness.get("/v1/webhooks").json().path("webhooks").size());
        }
    }

    @Test
    void invalidInputIsRefusedWithAPlainMessage() throws Exception {
        try (ControlHarness harness = new ControlHarness(folder, Map.of())) {
            assertTrue(refused(harness, "{\"name\":\"a\",\"url\":\"http://localhost:9/\"}")
                    .contains("loopback"));
            assertTrue(refused(harness, "{\"name\":\"a\",\"url\":\"http://2130706433/\"}")
                    .contains("loopback"));
            assertTrue(refused(harness, "{\"name\":\"a b\",\"url\":\"https://192.0.3.1/\"}")
                    .contains("name must be"));
            assertTrue(refused(harness, "{\"name\":\"a\"}").contains("no URL is given"));
            assertTrue(refused(harness, "{\"name\":\"a\",\"url\":\"https://192.0.3.1/\",\"kinds\":[\"startd\"]}")
                    .contains("did you mean 'started'?"));
            String groups =
                    refused(harness, "{\"name\":\"a\",\"url\":\"https://192.0.3.1/\",\"kinds\":[\"everything\"]}");
            assertTrue(groups.contains("event: scheduled, waiting, moved"), groups);
            assertTrue(groups.contains("; rollout: rollout-started, "), groups);
            assertTrue(groups.endsWith("; and all for every kind"), groups);
            assertTrue(refused(harness, "{\"name\":\"a\",\"url\":\"https://192.0.3.1/" + "x".repeat(2000) + "\"}")
                    .contains("2000 are the most"));
            assertTrue(refused(harness, "{\"name\":\"a\",\"url\":\"https://192.0.3.1/\",\"secret\":\"short\"}")
                    .contains("16 to 256"));
            assertTrue(refused(harness, "{\"name\":\"a\",\"url\":\"https://192.0.3.1/\",\"groups\":[\"wep\"]}")
                    .contains("did you mean web?"));
            assertTrue(refused(harness, "{\"name\":\"a\",\"url\":\"https://192.0.3.1/\",\"to\":[\"a@b.c\"]}")
                    .contains("no 'to'"));
            assertEquals(0, harness.get("/v1/webhooks").json().path("webhooks").size());
        }
    }

    private static String refused(ControlHarness harness, String body) throws Exception {
        Reply reply = harness.post("/v1/webhooks", body);
        assertTrue(reply.status() == 400 || reply.status() == 404, () -> body + " " + reply.status());
        return reply.error();
    }
}
