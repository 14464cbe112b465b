package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.rules.Command;
import io.forewarn.server.control.ControlHarness.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are repeated under one Idempotency-Key. */
final class IdempotencyApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws IOException {
        harness = new ControlHarness(folder, Map.of("notifications.allowed-targets", "127.0.0.0/8"));
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private void restart() throws IOException {
        harness.close();
        open();
    }

    private Reply post(String key, String path, String body) throws Exception {
        return harness.ask("POST", path, body, harness.token(), Map.of("Idempotency-Key", key));
    }

    private String time() throws Exception {
        return harness.get("/v1/clock").json().path("now").asText();
    }

    @Test
    void aClockThatIsAdvancedTwiceUnderOneKeyMovesOnce() throws Exception {
        Reply first = post("k", "/v1/clock/advance", "{\"by\":\"15m\"}");
        assertEquals(200, first.status(), first.error());
        assertEquals(first.json().path("now").asText(), time());
        Reply again = post("k", "/v1/clock/advance", "{\"by\":\"15m\"}");
        assertEquals(first.json(), again.json());
        assertEquals(first.json().path("now").asText(), time());
        assertEquals(400, post("k", "/v1/clock/advance", "{\"by\":\"16m\"}").status());
        assertEquals(200, post("k2", "/v1/clock/advance", "{\"by\":\"15m\"}").status());
        assertNotEquals(first.json().path("now").asText(), time());
        assertEquals(
                first.json(),
                post("k", "/v1/clock/advance", "{\"by\":\"15m\"}").json(),
                "the same answer, though the clock went on");
    }

    /** Each of these is refused when it is asked for anew, because the first one did it. */
    @Test
    void aRepeatedRequestWithItsKeyGetsTheSameResponse() throws Exception {
        String[][] requests = {
            {"PUT", "/v1/machines/new?only=new", "{\"addresses\":[\"10.9.9.9\"]}"},
            {"POST", "/v1/machines/new/restart", "{}"},
            {"PUT", "/v1/groups/fresh", "{\"kind\":\"availability-set\"}"},
            {"DELETE", "/v1/groups/fresh", ""},
            {"POST", "/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"host-3\"]}"},
            {"POST", "/v1/rollouts/os/abort", ""},
            {"POST", "/v1/policies", "{\"group\":\"web\",\"notice\":\"1h\"}"},
            {"DELETE", "/v1/policies?group=web", ""},
            {"PUT", "/v1/machines/gone?only=new", "{}"},
            {"DELETE", "/v1/machines/gone", ""},
            {"POST", "/v1/webhooks", "{\"name\":\"ops\",\"url\":\"http://127.0.0.1:9/\"}"},
            {"DELETE", "/v1/webhooks/ops", ""},
            {"POST", "/v1/tokens", "{\"name\":\"t\"}"},
            {"DELETE", "/v1/tokens/t", ""},
        };
        Reply[] first = new Reply[requests.length];
        for (int i = 0; i < requests.length; i++) {
            first[i] = keyed("k" + i, requests[i]);
            assertEquals(200, first[i].status(), requests[i][1] + " " + first[i].error());
        }
        for (int i = 0; i < requests.length; i++) {
            Reply again = keyed("k" + i, requests[i]);
            boolean made = requests[i][1].matches("/v1/(tokens|webhooks)");
            assertEquals(made ? 409 : 200, again.status(), requests[i][1] + " " + again.error());
            if (requests[i][1].contains("/machines") || requests[i][1].contains("/groups")) {
                assertEquals(first[i].json(), again.json(), requests[i][1]);
            }
        }
        assertEquals(409, keyed("other", requests[0]).status());
        assertEquals(404, keyed("other2", requests[9]).status());
        Reply other = keyed("k0", requests[2]);
        assertEquals(400, other.status());
        assertTrue(other.error().startsWith("this Idempotency-Key was already used"), other.error());
    }

    private Reply keyed(String key, String[] request) throws Exception {
        return harness.ask(request[0], request[1], request[2], harness.token(), Map.of("Idempotency-Key", key));
    }

    @Test
    void alsoAMoveByMonthsIsDoneOnce() throws Exception {
        Reply first = post("k", "/v1/clock/advance", "{\"by\":\"60d\"}");
        assertEquals(200, first.status(), first.error());
        assertEquals(
                first.json(), post("k", "/v1/clock/advance", "{\"by\":\"60d\"}").json());
        post("k2", "/v1/clock/advance", "{\"by\":\"1h\"}");
        String after = time();
        restart();
        assertEquals(
                first.json(), post("k", "/v1/clock/advance", "{\"by\":\"60d\"}").json());
        assertEquals(after, time());
    }

    /** As the writer leaves it that is lost after five of the fifteen minutes. */
    @Test
    void aMoveThatBrokeOffMidwayGoesOnToWhereItWouldHaveEnded() throws Exception {
        String body = "{\"by\":\"15m\"}";
        Instant start = Instant.parse(time());
        MessageDigest request = Secrets.sha256();
        request.update("POST /v1/clock/advance\n".getBytes(StandardCharsets.UTF_8));
        request.update(Secrets.sha256().digest(body.getBytes(StandardCharsets.UTF_8)));
        Once begun = new Once("begun " + TokenAuthenticator.LOCAL + "/k", Secrets.hex(request.digest()));
        harness.service()
                .gateway()
                .submit(new Command.MoveClock(start, start.plusSeconds(900), Actor.SERVICE), begun)
                .get(60, TimeUnit.SECONDS);
        post("other", "/v1/clock/advance", "{\"by\":\"5m\"}");
        Reply rest = post("k", "/v1/clock/advance", body);
        assertEquals(200, rest.status(), rest.error());
        assertEquals(start.plusSeconds(900).toString(), time());
    }

    @Test
    void theClockMovesOnceEvenIfTheServiceRestartsInBetween() throws Exception {
        Reply first = post("k", "/v1/clock/advance", "{\"by\":\"15m\"}");
        restart();
        assertEquals(
                first.json(), post("k", "/v1/clock/advance", "{\"by\":\"15m\"}").json());
        assertEquals(first.json().path("now").asText(), time());
    }

    @Test
    void aClockThatIsSetTwiceUnderOneKeyIsSetOnce() throws Exception {
        String body = "{\"to\":\"2090-01-01T00:00:00Z\"}";
        assertEquals(200, post("k", "/v1/clock/set", body).status());
        assertEquals(200, post("k2", "/v1/clock/advance", "{\"by\":\"1h\"}").status());
        Reply again = post("k", "/v1/clock/set", body);
        assertEquals(200, again.status(), again.error());
        assertEquals("2090-01-01T00:00:00Z", again.json().path("now").asText());
        assertEquals("2090-01-01T01:00:00Z", time());
    }

    @Test
    void aTokenThatIsMadeTwiceUnderOneKeyHasOneSecret() throws Exception {
        Reply first = post("k", "/v1/tokens", "{\"name\":\"ci\"}");
        Reply again = post("k", "/v1/tokens", "{\"name\":\"ci\"}");
        assertEquals(200, again.status(), again.error());
        assertEquals(first.json(), again.json());
        String secret = again.json().path("secret").asText();
        assertEquals(200, harness.ask("GET", "/v1/status", "", secret, Map.of()).status());
        assertEquals(400, post("k", "/v1/tokens", "{\"name\":\"other\"}").status());
        assertEquals(409, post("k2", "/v1/tokens", "{\"name\":\"ci\"}").status());
    }

    @Test
    void aProcessThatDoesNotKnowTheSecretSaysHowToReplaceIt() throws Exception {
        String secret = post("k", "/v1/tokens", "{\"name\":\"ci\"}")
                .json()
                .path("secret")
                .asText();
        restart();
        for (int i = 0; i < 2; i++) {
            Reply again = post("k", "/v1/tokens", "{\"name\":\"ci\"}");
            assertEquals(409, again.status());
            assertTrue(again.error().contains("was created"), again.error());
            assertTrue(again.error().contains("forewarn token remove ci"), again.error());
        }
        assertEquals(200, harness.ask("GET", "/v1/status", "", secret, Map.of()).status(), "the first one still opens");
        assertFalse(stored().contains(secret));
    }

    /** Everything the store has on disk. */
    private String stored() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        assertTrue(all.indexOf("ci") >= 0);
        return all.toString();
    }

    @Test
    void aTokenThatWasRefusedIsMadeWhenItCanBe() throws Exception {
        post("k", "/v1/tokens", "{\"name\":\"ci\"}");
        assertEquals(409, post("k2", "/v1/tokens", "{\"name\":\"ci\"}").status());
        harness.delete("/v1/tokens/ci");
        Reply made = post("k2", "/v1/tokens", "{\"name\":\"ci\"}");
        assertEquals(200, made.status(), made.error());
        assertEquals(
                200,
                harness.ask("GET", "/v1/status", "", made.json().path("secret").asText(), Map.of())
                        .status());
        assertEquals(409, post("k", "/v1/tokens", "{\"name\":\"ci\"}").status(), "that one was taken back");
    }

    @Test
    void aWebhookThatIsMadeTwiceUnderOneKeyHasOneSecret() throws Exception {
        String body = "{\"name\":\"ops\",\"url\":\"http://127.0.0.1:9/\"}";
        Reply first = post("k", "/v1/webhooks", body);
        assertEquals(200, first.status(), first.error());
        assertEquals(
                first.json().path("secret"),
                post("k", "/v1/webhooks", body).json().path("secret"));
        restart();
        Reply again = post("k", "/v1/webhooks", body);
        assertEquals(409, again.status());
        assertTrue(again.error().contains("forewarn webhook remove ops"), again.error());
        String given = "{\"name\":\"own\",\"url\":\"http://127.0.0.1:9/\",\"secret\":\""
                + first.json().path("secret").asText() + "\"}";
        assertEquals(200, post("g", "/v1/webhooks", given).status());
        restart();
        assertEquals(200, post("g", "/v1/webhooks", given).status(), "its secret need not be told");
    }

    @Test
    void aReceiverIsTestedOnceUnderOneKey() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            String body = "{\"name\":\"ops\",\"url\":\"" + receiver.url() + "\"}";
            assertEquals(200, post("a", "/v1/webhooks", body).status());
            Reply first = post("k", "/v1/webhooks/ops/test", "");
            assertTrue(first.json().path("delivered").asBoolean(), first.json().toString());
            assertEquals(first.json(), post("k", "/v1/webhooks/ops/test", "").json());
            assertEquals(1, tests(receiver));
            restart();
            Reply unknown = post("k", "/v1/webhooks/ops/test", "");
            assertEquals(409, unknown.status());
            assertTrue(unknown.error().contains("test webhook ops again"), unknown.error());
            assertEquals(1, tests(receiver));
        }
    }

    private static long tests(WebhookReceiver receiver) {
        return receiver.types().stream().filter("io.forewarn.test"::equals).count();
    }

    @Test
    void lettersAreSentAgainOnceUnderOneKey() throws Exception {
        assertEquals(
                200,
                post("a", "/v1/webhooks", "{\"name\":\"ops\",\"url\":\"http://127.0.0.1:9/\"}")
                        .status());
        Reply first = post("k", "/v1/webhooks/ops/resend", "");
        assertEquals(200, first.status(), first.error());
        assertEquals(first.json(), post("k", "/v1/webhooks/ops/resend", "").json());
        assertEquals(
                400, post("k", "/v1/webhooks/ops/resend", "{\"ids\":[\"1.0\"]}").status());
    }
}
