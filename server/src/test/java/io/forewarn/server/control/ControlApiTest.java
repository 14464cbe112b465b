package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws IOException {
        harness = new ControlHarness(folder, Map.of());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void withoutATokenOnlyHealthAndReadinessAreAvailable() throws Exception {
        for (Route route : Route.values()) {
            long parts = Arrays.stream(route.template().split("/"))
                    .filter(s -> s.startsWith("{"))
                    .count();
            String path = route.uri(List.of("a", "restart").subList(0, (int) parts), Map.of());
            for (String wrong : new String[] {null, "wrong", harness.token() + "x"}) {
                Reply reply = harness.ask(route.method(), path, "", wrong, Map.of());
                assertEquals(route.open() ? 200 : 401, reply.status(), route + " with token " + wrong);
                if (!route.open()) {
                    assertEquals("unauthenticated", reply.json().path("problem").asText());
                }
            }
        }
        assertEquals(401, harness.ask("GET", "/nowhere", "", null, Map.of()).status());
    }

    @Test
    void anUnknownPathAndAWrongMethodAreDistinguished() throws Exception {
        Reply unknown = harness.get("/v1/machine");
        assertEquals(404, unknown.status());
        assertTrue(unknown.error().contains("/v1/machine"));
        Reply wrong = harness.post("/v1/machines", "{}");
        assertEquals(405, wrong.status());
        assertEquals("GET", wrong.response().headers().firstValue("Allow").orElseThrow());
        Reply misspelt = harness.get("/v1/machines?grup=web");
        assertEquals(400, misspelt.status());
        assertEquals("unknown query parameter 'grup'; did you mean 'group'?", misspelt.error());
        assertEquals(400, harness.get("/v1/machines?group=web&group=web").status());
        assertEquals(400, harness.get("/v1/machines?limit=many").status());
    }

    @Test
    void unknownNamesSuggestNearOnes() throws Exception {
        Reply machine = harness.get("/v1/machines/FrontEnd_IN_7");
        assertEquals(404, machine.status());
        assertTrue(machine.error().contains("did you mean FrontEnd_IN_0?"), machine.error());
        assertTrue(harness.get("/v1/groups/wep").error().contains("did you mean web?"));
        Reply action = harness.post("/v1/machines/db-1/restrat", "");
        assertEquals(404, action.status());
        assertTrue(action.error().contains("did you mean 'restart'?"));
        assertEquals(400, harness.get("/v1/events/17").status());
        assertEquals(
                404,
                harness.get("/v1/events/00000000-0000-0000-0000-000000000000").status());
    }

    @Test
    void severalMachinesAreOneCommandAllOrNone() throws Exception {
        Reply some = harness.post("/v1/actions/restart", "{\"machines\":[\"FrontEnd_IN_0\",\"FrontEnd_IN_99\"]}");
        assertEquals(404, some.status());
        assertEquals(0, events().size());
        Reply both =
                harness.post("/v1/actions/restart", "{\"machines\":[\"FrontEnd_IN_0\",\"db-1\"],\"notice\":\"20m\"}");
        assertEquals(200, both.status());
        assertEquals(2, both.json().path("events").size());
        assertEquals("20m", both.json().path("events").get(1).path("notice").asText());
        assertEquals(List.of("db-1"), names(both.json().path("events").get(1).path("machines")));
        Reply again = harness.post("/v1/machines/db-1/redeploy", "{}");
        assertEquals(409, again.status());
        assertEquals("conflict", again.json().path("problem").asText());
        assertTrue(
                again.error()
                        .contains(both.json().path("events").get(1).path("id").asText()),
                again.error());
    }

    @Test
    void aRepeatedRequestIsAnsweredAgainAndNotDoneAgain() throws Exception {
        Map<String, String> key = Map.of("Idempotency-Key", "k1");
        Reply first = harness.ask("POST", "/v1/machines/db-1/restart", "{}", harness.token(), key);
        Reply second = harness.ask("POST", "/v1/machines/db-1/restart", "{}", harness.token(), key);
        assertEquals(200, second.status(), second.error());
        assertEquals(first.json(), second.json());
        assertEquals(1, events().size());
        Reply other = harness.ask("POST", "/v1/machines/batch_0/restart", "{}", harness.token(), key);
        assertEquals(400, other.status(), other.json().toString());
        Reply tooLong = harness.ask(
                "POST",
                "/v1/machines/batch_0/restart",
                "{}",
                harness.token(),
                Map.of("Idempotency-Key", "k".repeat(129)));
        assertEquals(400, tooLong.status());
    }

    @Test
    void badBodiesChangeNothing() throws Exception {
        for (String body :
                List.of("{", "[]", "\"a\"", "{\"notice\":5}", "{\"notice\":\"5 min\"}", "{\"when\":\"now\"}")) {
            assertEquals(400, harness.post("/v1/machines/db-1/restart", body).status(), body);
        }
        Reply large = harness.post("/v1/machines/db-1/restart", " ".repeat((1 << 20) + 1));
        assertEquals(413, large.status());
        assertEquals(400, harness.post("/v1/actions/restart", "{}").status());
        assertEquals(0, events().size());
    }

    @Test
    void anEventCanBeFollowedBeyondItsEnd() throws Exception {
        String id = harness.post("/v1/machines/db-1/restart", "")
                .json()
                .path("events")
                .get(0)
                .path("id")
                .asText();
        Reply scheduled = harness.get("/v1/events/" + id.toLowerCase(Locale.ROOT));
        assertEquals("scheduled", scheduled.json().path("status").asText());
        Reply approved = harness.post("/v1/events/" + id + "/approve", "");
        assertEquals(
                "started", approved.json().path("events").get(0).path("status").asText());
        assertEquals(409, harness.post("/v1/events/" + id + "/cancel", "").status());
        assertEquals(
                "rebooting",
                harness.get("/v1/machines/db-1").json().path("state").asText());
        assertEquals(200, harness.post("/v1/clock/advance", "{\"by\":\"90s\"}").status());
        Reply gone = harness.get("/v1/events/" + id);
        assertEquals("ended", gone.json().path("status").asText());
        assertEquals("completed", gone.json().path("outcome").asText());
        assertEquals(
                List.of("scheduled", "approved", "started-by-approval", "completed"),
                names(gone.json().path("history"), "kind"));
        assertEquals(1, harness.get("/v1/machines/db-1").json().path("boots").asInt());
        assertEquals(404, harness.post("/v1/events/" + id + "/approve", "").status());
    }

    @Test
    void aScheduledEventCanBeCancelled() throws Exception {
        String id = harness.post("/v1/machines/db-1/restart", "")
                .json()
                .path("events")
                .get(0)
                .path("id")
                .asText();
        assertEquals(200, harness.post("/v1/events/" + id + "/cancel", "").status());
        assertEquals(
                "cancelled",
                harness.get("/v1/events/" + id).json().path("outcome").asText());
    }

    @Test
    void historyIsFilteredAndOrdered() throws Exception {
        harness.post("/v1/machines/db-1/restart", "");
        harness.post("/v1/clock/advance", "{\"by\":\"1h\"}");
        harness.post("/v1/machines/FrontEnd_IN_1/restart", "");
        List<String> all = names(harness.get("/v1/history").json().path("history"), "kind");
        assertEquals("scheduled", all.get(0));
        assertEquals("fleet-changed", all.get(all.size() - 1));
        List<String> upwards =
                names(harness.get("/v1/history?order=oldest").json().path("history"), "kind");
        List<String> reversed = new ArrayList<>(all);
        Collections.reverse(reversed);
        assertEquals(reversed, upwards);
        assertEquals(
                List.of("scheduled"),
                names(harness.get("/v1/history?group=web").json().path("history"), "kind"));
        assertEquals(
                List.of("completed", "started-by-time", "scheduled"),
                names(harness.get("/v1/history?machine=db-1").json().path("history"), "kind"));
        assertEquals(
                1,
                harness.get("/v1/history?since=1m&machine=FrontEnd_IN_1")
                        .json()
                        .path("history")
                        .size());
        assertEquals(
                0,
                harness.get("/v1/history?since=1m&machine=db-1")
                        .json()
                        .path("history")
                        .size());
        assertEquals(
                2, harness.get("/v1/history?limit=2").json().path("history").size());
        assertEquals(400, harness.get("/v1/history?since=yesterday").status());
        assertEquals(400, harness.get("/v1/history?order=random").status());
    }

    @Test
    void theManualClockOnlyGoesForward() throws Exception {
        String now = harness.get("/v1/clock").json().path("now").asText();
        assertEquals("manual", harness.get("/v1/clock").json().path("clock").asText());
        assertEquals(400, harness.post("/v1/clock/advance", "{}").status());
        assertEquals(400, harness.post("/v1/clock/advance", "{\"by\":\"-5m\"}").status());
        assertEquals(400, harness.post("/v1/clock/set", "{\"to\":\"noon\"}").status());
        Reply later = harness.post("/v1/clock/set", "{\"to\":\"2100-01-01T01:00:00+01:00\"}");
        assertEquals("2100-01-01T00:00:00Z", later.json().path("now").asText());
        Reply back = harness.post("/v1/clock/set", "{\"to\":\"" + now + "\"}");
        assertNotEquals(200, back.status());
        assertEquals(
                "2100-01-01T00:00:00Z",
                harness.get("/v1/clock").json().path("now").asText());
    }

    @Test
    void listsCanBeNarrowed() throws Exception {
        assertEquals(9, harness.get("/v1/machines").json().path("machines").size());
        assertEquals(
                List.of("batch_0", "batch_1", "batch_2"),
                names(harness.get("/v1/machines?group=batch").json().path("machines"), "name"));
        assertEquals(
                2, harness.get("/v1/machines?limit=2").json().path("machines").size());
        assertEquals(
                0,
                harness.get("/v1/machines?polling=polling")
                        .json()
                        .path("machines")
                        .size());
        assertEquals(400, harness.get("/v1/machines?polling=often").status());
        assertEquals(
                List.of("batch", "db-1", "web"),
                names(harness.get("/v1/groups").json().path("groups"), "name"));
        assertEquals(
                0, harness.get("/v1/groups?tenant=other").json().path("groups").size());
        assertEquals(404, harness.get("/v1/events?group=nope").status());
    }

    @Test
    void theFiguresAreForPrometheus() throws Exception {
        harness.post("/v1/machines/db-1/restart", "");
        String id = events().get(0).path("id").asText();
        harness.post("/v1/events/" + id + "/approve", "");
        String text = harness.get("/metrics").response().body();
        for (String line : List.of(
                "forewarn_events{status=\"started\"} 1",
                "forewarn_machines 9",
                "forewarn_event_transitions_total{transition=\"approved\"} 1",
                "forewarn_approval_latency_seconds_count 1",
                "forewarn_notice_given_seconds_count 1",
                "forewarn_notice_promised_seconds_sum 900",
                "forewarn_queue_depth 0",
                "forewarn_store_up 1",
                "forewarn_commit_seconds_count",
                "forewarn_commit_commands_count")) {
            assertTrue(text.contains(line), line + " is not in\n" + text);
        }
    }

    @Test
    void aHealthyServiceHasNoFindings() throws Exception {
        assertEquals(0, harness.get("/v1/doctor").json().path("findings").size());
        JsonNode status = harness.get("/v1/status").json();
        assertTrue(status.path("ready").asBoolean());
        assertEquals(9, status.path("machines").asInt());
        assertFalse(status.has("storeError"));
    }

    @Test
    void silentGroupsAreOneFindingInAll() throws Exception {
        harness.close();
        harness = new ControlHarness(folder, Map.of("profile", "azure")); // Under test nobody needs to ask.
        poll("127.0.0.1");
        poll("127.0.0.21");
        assertEquals(0, harness.get("/v1/doctor").json().path("findings").size());
        harness.post("/v1/clock/advance", "{\"by\":\"10m\"}");
        JsonNode findings = harness.get("/v1/doctor").json().path("findings");
        assertEquals(1, findings.size(), findings.toString());
        assertTrue(findings.get(0).path("problem").asText().startsWith("2 groups "), findings.toString());
    }

    private void poll(String from) throws IOException {
        int port = harness.service().metadata().port();
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName(from), 0)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\r\nHost: a\r\n"
                                    + "Metadata: true\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(reply.startsWith("HTTP/1.1 200 "), reply);
        }
    }

    private JsonNode events() throws Exception {
        return harness.get("/v1/events").json().path("events");
    }

    private static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.forEach(item -> names.add(item.asText()));
        return names;
    }

    private static List<String> names(JsonNode list, String field) {
        List<String> names = new ArrayList<>();
        list.forEach(item -> names.add(item.path(field).asText()));
        return names;
    }

    @Test
    void aServiceWhoseStoreIsMissingIsNotReadyUntilItIsBack() throws Exception {
        Path away = folder.resolve("away");
        Files.move(folder.resolve("data"), away);
        awaitReady(503);
        assertFalse(harness.get("/v1/status").json().path("ready").asBoolean());
        assertFalse(Files.exists(folder.resolve("data")), "nothing stands where the folder belongs");
        Files.move(away, folder.resolve("data"));
        awaitReady(200);
        assertEquals(
                200, harness.post("/v1/machines/FrontEnd_IN_0/restart", "{}").status());
    }

    private void awaitReady(int status) throws Exception {
        eventually(() -> harness.get("/readyz").status() == status);
    }
}
