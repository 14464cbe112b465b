package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.server.control.ControlHarness.Reply;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** History, its exports, and the notice report, over HTTP. */
final class HistoryApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        harness.post("/v1/machines/FrontEnd_IN_0/restart", "{\"description\":\"line\\none, \\\"two\\\"\"}");
        harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
        harness.post("/v1/rollouts", "{\"name\":\"os-1\",\"type\":\"reboot\",\"groups\":[\"web\"]}");
        harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aRolloutsHistoryIsWhatItDidAndWhatItsEventsDid() throws Exception {
        JsonNode history =
                harness.get("/v1/history?rollout=os-1&order=oldest").json().path("history");
        assertEquals(
                List.of("rollout-started", "rollout-planned", "scheduled", "started-by-time", "completed"),
                StreamSupport.stream(history.spliterator(), false)
                        .map(e -> e.path("kind").asText())
                        .toList());
        history.forEach(e -> assertEquals("os-1", e.path("rollout").asText()));
    }

    @Test
    void historyIsSearchedByKindAndByText() throws Exception {
        JsonNode started = harness.get("/v1/history?kinds=started,completed&order=oldest")
                .json()
                .path("history");
        assertEquals(
                List.of("started-by-time", "completed", "started-by-time", "completed"),
                StreamSupport.stream(started.spliterator(), false)
                        .map(e -> e.path("kind").asText())
                        .toList());
        JsonNode found =
                harness.get("/v1/history?kinds=started&text=OS-1").json().path("history");
        assertEquals(1, found.size());
        assertEquals("os-1", found.at("/0/rollout").asText());
        assertEquals(
                3,
                harness.get("/v1/history?text=frontend_in_0&until=20m")
                        .json()
                        .path("history")
                        .size());
        assertEquals(
                2,
                harness.get("/v1/history?kinds=started-by-time,started-by-approval")
                        .json()
                        .path("history")
                        .size(),
                "the names that the history shows are kinds, too");
        assertEquals(
                0,
                harness.get("/v1/history?kinds=started-by-approval")
                        .json()
                        .path("history")
                        .size());
        assertEquals(400, harness.get("/v1/history?kinds=launched").status());
    }

    @Test
    void historyHasAnEndAndABeginning() throws Exception {
        int all = harness.get("/v1/history").json().path("history").size();
        int newer = harness.get("/v1/history?since=20m").json().path("history").size();
        int older = harness.get("/v1/history?until=20m").json().path("history").size();
        assertEquals(all, newer + older);
        assertTrue(newer > 0 && older > 0);
        assertEquals(400, harness.get("/v1/history?until=later").status());
    }

    @Test
    void aTruncatedListSaysWhereToContinue() throws Exception {
        JsonNode all = harness.get("/v1/history").json();
        assertFalse(all.has("next"));
        JsonNode first = harness.get("/v1/history?limit=2").json();
        JsonNode rest =
                harness.get("/v1/history?after=" + first.path("next").asText()).json();
        assertEquals(
                all.path("history").size(),
                first.path("history").size() + rest.path("history").size());
        assertEquals(all.path("history").get(2), rest.path("history").get(0));
        assertEquals(400, harness.get("/v1/history?after=there").status());
    }

    @Test
    void jsonLinesAndCsvContainTheSame() throws Exception {
        JsonNode list = harness.get("/v1/history").json().path("history");
        Reply lines = harness.ask("GET", "/v1/history", "", harness.token(), Map.of("Accept", "application/x-ndjson"));
        assertEquals(
                "application/jsonl; charset=utf-8",
                lines.response().headers().firstValue("Content-Type").orElseThrow());
        List<String> each = lines.response().body().lines().toList();
        assertEquals(list.size(), each.size());
        for (int i = 0; i < each.size(); i++) {
            assertEquals(list.get(i), JSON.readTree(each.get(i)));
        }
        Reply csv = harness.get("/v1/history?format=csv");
        String body = csv.response().body();
        assertEquals(list.size() + 1, body.split("\r\n").length);
        assertTrue(body.startsWith("at,kind,tenant,group,rollout,event,"), body);
        assertEquals(400, harness.get("/v1/history?format=xml").status());
    }

    @Test
    void theReportTellsPromisedAgainstGiven() throws Exception {
        harness.post("/v1/machines/db-1/freeze", "");
        String id =
                harness.get("/v1/events?machine=db-1").json().at("/events/0/id").asText();
        harness.post("/v1/events/" + id + "/approve", "");
        harness.post("/v1/clock/advance", "{\"by\":\"1m\"}");
        JsonNode report = harness.get("/v1/reports/notice?group=db-1").json();
        assertEquals("waived", report.at("/events/0/verdict").asText());
        assertEquals("local", report.at("/events/0/approvedBy/name").asText());
        assertEquals("db-1", report.at("/events/0/neverSaw/0").asText());
        assertEquals(1, report.at("/summary/waived").asInt());
        assertEquals(100, report.at("/summary/neverSawPercent").asInt());
        JsonNode all = harness.get("/v1/reports/notice").json();
        assertEquals(3, all.at("/summary/events").asInt());
        assertEquals(2, all.at("/summary/kept").asInt());
        assertEquals(
                4,
                harness.get("/v1/reports/notice?format=csv").response().body().split("\r\n").length);
    }

    @Test
    void historyAndReportNameWhatMachinesSawAndWhatItCameFrom() throws Exception {
        JsonNode first = harness.get("/v1/history?machine=FrontEnd_IN_0&order=oldest")
                .json()
                .at("/history/0");
        assertEquals("reboot", first.path("type").asText());
        assertEquals("restart", first.path("cause").asText());
        JsonNode reported = harness.get("/v1/reports/notice").json().at("/events/0");
        assertEquals("reboot", reported.path("type").asText());
        assertEquals("restart", reported.path("cause").asText());
        assertTrue(
                harness.get("/v1/reports/notice?format=csv").response().body().contains(",reboot,host-reboot,"));
    }

    @Test
    void anOwnerReceivesOnlyItsOwnTenantsEntries() throws Exception {
        String owner = harness.post("/v1/tokens", "{\"name\":\"shop\",\"tenant\":\"shop\"}")
                .json()
                .path("secret")
                .asText();
        for (String path : List.of("/v1/history?format=csv", "/v1/reports/notice?format=csv")) {
            Reply reply = harness.ask("GET", path, "", owner, Map.of());
            assertEquals(200, reply.status());
            assertEquals(1, reply.response().body().split("\r\n").length, "only the names of the columns");
        }
    }
}
