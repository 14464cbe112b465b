package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reasons that people give for what they do to events and rollouts. */
final class ReasonApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;
    private WebhookReceiver receiver;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of("notifications.allowed-targets", "127.0.0.0/8"));
        receiver = new WebhookReceiver();
        ok("/v1/webhooks", "{\"name\":\"chat\",\"url\":\"" + receiver.url() + "\",\"kinds\":[\"cancelled\"]}");
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
        receiver.close();
    }

    private JsonNode ok(String path, String body) throws Exception {
        Reply said = harness.post(path, body);
        assertEquals(200, said.status(), said.error());
        return said.json();
    }

    private String event() throws Exception {
        return ok("/v1/machines/db-1/redeploy", "{\"notice\":\"2h\"}")
                .at("/events/0/id")
                .asText();
    }

    private JsonNode newest(String event) throws Exception {
        return harness.get("/v1/history?limit=1&event=" + event).json().at("/history/0");
    }

    private String audited() throws Exception {
        return harness.get("/v1/audit?limit=1").json().at("/audit/0/request").asText();
    }

    @Test
    void historyAuditAndNotificationsTellIt() throws Exception {
        ok("/v1/policies", "{\"ownerPostponements\":\"3x8h\"}");
        String id = event();
        ok("/v1/events/" + id + "/postpone", "{\"by\":\"1h\",\"reason\":\"month-end closing\"}");
        assertEquals("month-end closing", newest(id).path("reason").asText());
        assertTrue(audited().endsWith(", reason: month-end closing"), audited());
        ok("/v1/events/" + id + "/cancel", "{\"reason\":\"the host is <b>retired</b>\"}");
        assertEquals("the host is <b>retired</b>", newest(id).path("reason").asText());
        assertEquals("cancel " + id + ", reason: the host is <b>retired</b>", audited());
        receiver.await(1);
        assertEquals(
                "the host is <b>retired</b>",
                receiver.came().get(0).json().at("/data/reason").asText());
        assertTrue(harness.get("/v1/history?format=csv").response().body().contains(",the host is <b>retired</b>\r\n"));

        String other = event();
        ok("/v1/events/" + other + "/approve", "{\"reason\":\"nobody works on it\"}");
        assertEquals("approve " + other + ", reason: nobody works on it", audited());
        JsonNode history = harness.get("/v1/history?kinds=approved").json().path("history");
        assertEquals("nobody works on it", history.at("/0/reason").asText(), history.toString());
    }

    @Test
    void aRolloutSaysWhyItIsPausedOrAborted() throws Exception {
        ok("/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"]}");
        assertEquals(
                "the storage is slow",
                ok("/v1/rollouts/os/pause", "{\"reason\":\"the storage is slow\"}")
                        .path("reason")
                        .asText());
        assertTrue(ok("/v1/rollouts/os/resume", "").path("reason").isMissingNode());
        assertEquals(
                "by local: a newer kernel",
                ok("/v1/rollouts/os/abort", "{\"reason\":\"a newer kernel\"}")
                        .path("reason")
                        .asText());
        assertEquals("abort rollout os, reason: a newer kernel", audited());
    }

    @Test
    void aReasonIsNotNeeded() throws Exception {
        String id = event();
        ok("/v1/events/" + id + "/cancel", "{\"reason\":\"  \"}");
        assertTrue(newest(id).path("reason").isMissingNode());
        assertEquals("cancel " + id, audited());
    }

    @Test
    void aReasonThatIsTooLongOrHasSeveralLinesIsRefusedAndChangesNothing() throws Exception {
        String id = event();
        String[][] bodies = {
            {"x".repeat(201), "a reason (--reason) has at most 200 characters, not 201"},
            {"two\\nlines", "a reason (--reason) is one line of text, without control characters"},
            {"\\u001b[31m", "a reason (--reason) is one line of text, without control characters"}
        };
        for (String[] body : bodies) {
            for (String verb : new String[] {"approve", "cancel"}) {
                Reply said = harness.post("/v1/events/" + id + "/" + verb, "{\"reason\":\"" + body[0] + "\"}");
                assertEquals(400, said.status());
                assertEquals(body[1], said.error());
            }
            Reply said =
                    harness.post("/v1/events/" + id + "/postpone", "{\"by\":\"1h\",\"reason\":\"" + body[0] + "\"}");
            assertEquals(body[1], said.error());
        }
        assertEquals("scheduled", newest(id).path("kind").asText());
        ok("/v1/events/" + id + "/cancel", "{\"reason\":\"" + "x".repeat(200) + "\"}");
    }
}
