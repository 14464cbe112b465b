package io.forewarn.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.core.Actor;
import io.forewarn.core.engine.SimulatedStore.Fault;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a machine may ask under {@code /forewarn/v1}, over HTTP. */
class GuestApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TRUE = "Metadata: true";
    private static final String EVENTS = "/forewarn/v1/events";

    private MetadataHarness harness;
    private RawConnection connection;

    @BeforeEach
    void start() {
        harness = new MetadataHarness();
        connection = harness.talk("127.0.0.1");
        connection.poll("2020-07-01");
    }

    @AfterEach
    void stop() {
        connection.close();
        harness.close();
    }

    private void policy(ApprovalQuorum approval, PostponementLimit guests, Boolean seenByAll) {
        Policy policy = new Policy(
                new Scope("default", "web", null),
                null,
                null,
                null,
                approval,
                null,
                null,
                null,
                guests,
                seenByAll,
                null);
        MetadataHarness.await(harness.ask(new Command.SetPolicy(policy, Actor.person("test", ""))));
    }

    private static JsonNode json(RawConnection.Answer answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    private static String path(EventId id, String verb) {
        return EVENTS + "/" + id + "/" + verb;
    }

    @Test
    void aMachineReadsItsGroupsEventsWithTheirHistoryAndWhatHoldsThem() {
        policy(ApprovalQuorum.ALL, new PostponementLimit(2, Duration.ofHours(1)), true);
        EventId id = harness.schedule(Cause.RESTART, "web-1");
        RawConnection.Answer answer = connection.get(EVENTS, TRUE);
        assertEquals(200, answer.status());
        assertEquals("application/json; charset=utf-8", answer.header("content-type"));
        JsonNode event = json(answer).path("events").path(0);
        assertEquals(id.toString(), event.path("id").asText());
        assertEquals("scheduled", event.path("status").asText());
        assertFalse(event.path("affectsMe").asBoolean());
        assertEquals(1, event.path("approvalsNeeded").asInt());
        assertEquals("1h", event.path("postponableBy").asText());
        assertEquals("scheduled", event.path("history").path(0).path("kind").asText());
        String blockers = event.path("blockers").toString();
        assertTrue(blockers.contains("its notice"), blockers);
        assertTrue(blockers.contains("0 of 1 machines are ready, by the policy of group default/web"), blockers);
        assertTrue(blockers.contains("not seen yet by web-1"), blockers);
    }

    @Test
    void readingItHereCountsAsHavingSeenIt() {
        policy(null, null, true);
        EventId id = harness.schedule(Cause.RESTART, "web-1");
        assertEquals(200, connection.approve("2020-07-01", id).status());
        assertTrue(connection.poll("2020-07-01").body().contains("Scheduled"));
        try (RawConnection touched = harness.talk("127.0.0.2")) {
            assertTrue(json(touched.get(EVENTS, TRUE)).at("/events/0/affectsMe").asBoolean());
        }
        harness.settle();
        assertTrue(connection.poll("2020-07-01").body().contains("Started"));
    }

    @Test
    void eachMachineSaysThatItIsReady() {
        policy(ApprovalQuorum.ALL, null, null);
        EventId id = harness.schedule(Cause.RESTART, "web-1");
        assertEquals(200, connection.approve("2020-07-01", id).status());
        assertTrue(connection.poll("2020-07-01").body().contains("Scheduled"));
        assertEquals(409, connection.post(path(id, "ready"), "", TRUE).status());
        try (RawConnection touched = harness.talk("127.0.0.2")) {
            JsonNode event = json(touched.post(path(id, "ready"), "", TRUE));
            assertEquals("started", event.path("status").asText());
            assertTrue(event.path("approved").asBoolean());
            assertEquals("web-1", event.path("ready").path(0).asText());
        }
    }

    @Test
    void aMachinePostponesAsFarAsItMay() {
        policy(null, new PostponementLimit(2, Duration.ofMinutes(20)), null);
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        JsonNode event = json(connection.post(path(id, "postpone"), "{\"by\":\"15m\"}", TRUE));
        assertEquals("2016-09-19T18:44:47Z", event.path("notBefore").asText());
        assertEquals("5m", event.path("postponableBy").asText());
        assertTrue(connection.poll("2020-07-01").body().contains("18:44:47"));
        RawConnection.Answer tooFar =
                connection.post(path(id, "postpone"), "{\"until\":\"2016-09-19T20:00:00Z\"}", TRUE);
        assertEquals(409, tooFar.status());
        assertTrue(json(tooFar).path("error").asText().contains("by 5m more"), tooFar.body());
        assertEquals(
                400,
                connection.post(path(id, "postpone"), "{\"by\":\"-5m\"}", TRUE).status());
        assertEquals(400, connection.post(path(id, "postpone"), "{}", TRUE).status());
        RawConnection.Answer both =
                connection.post(path(id, "postpone"), "{\"by\":\"5m\",\"until\":\"2030-01-01T00:00:00Z\"}", TRUE);
        assertEquals(400, both.status());
        assertTrue(both.body().contains("both by and until are given"), both.body());
        assertEquals(400, connection.post(path(id, "postpone"), "soon", TRUE).status());
        assertTrue(connection.poll("2020-07-01").body().contains("18:44:47"));
    }

    @Test
    void withoutAPolicyNothingCanBePostponed() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        RawConnection.Answer answer = connection.post(path(id, "postpone"), "{\"by\":\"15m\"}", TRUE);
        assertEquals(403, answer.status());
        assertTrue(answer.body().contains("may not postpone"), answer.body());
    }

    @Test
    void aMachineNeitherSeesNorTouchesAnotherGroupsEvents() {
        policy(null, new PostponementLimit(2, Duration.ofHours(1)), null);
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        try (RawConnection lone = harness.talk("127.0.2.1")) {
            assertEquals("[]", json(lone.get(EVENTS, TRUE)).path("events").toString());
            for (String verb : new String[] {"ready", "postpone"}) {
                RawConnection.Answer answer = lone.post(path(id, verb), "{\"by\":\"15m\"}", TRUE);
                assertTrue(answer.status() == 400 || answer.status() == 404, answer.body());
                assertFalse(answer.body().contains("web"), answer.body());
            }
        }
        assertTrue(connection.poll("2020-07-01").body().contains("Scheduled"));
    }

    @Test
    void aMachineSaysThatItHasRecovered() {
        assertEquals("{}", connection.post("/forewarn/v1/recovered", "", TRUE).body());
    }

    @Test
    void theGuardsAreThoseOfThePage() {
        assertEquals(400, connection.get(EVENTS).status());
        assertEquals(
                400, connection.get(EVENTS, TRUE, "X-Forwarded-For: 10.0.0.1").status());
        assertEquals(400, connection.post("/forewarn/v1/recovered", "").status());
        RawConnection.Answer wrong = connection.post(EVENTS, "", TRUE);
        assertEquals(405, wrong.status());
        assertEquals("GET", wrong.header("allow"));
        assertEquals(405, connection.get("/forewarn/v1/recovered", TRUE).status());
        assertEquals(404, connection.get("/forewarn/v1/nothing", TRUE).status());
        assertEquals(
                404, connection.post("/forewarn/v1/events/17/ready", "", TRUE).status());
        try (RawConnection stranger = harness.talk("127.0.0.99")) {
            assertEquals(403, stranger.get(EVENTS, TRUE).status());
        }
        harness.server.ready(false);
        assertEquals(503, connection.get(EVENTS, TRUE).status());
    }

    @Test
    void theRateLimitCountsTheseRequestsToo() {
        try (MetadataHarness strict = new MetadataHarness(MetadataSettings.AZURE);
                RawConnection fast = strict.talk("127.0.0.1")) {
            int refused = 0;
            for (int i = 0; i < 20; i++) {
                refused += fast.get(EVENTS, TRUE).status() == 429 ? 1 : 0;
            }
            assertTrue(refused > 0);
        }
    }

    @Test
    void aStoreThatIsDownIs503AndReadingGoesOn() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        harness.store.fail(Fault.REJECTED);
        assertEquals(503, connection.post(path(id, "ready"), "", TRUE).status());
        assertEquals(200, connection.get(EVENTS, TRUE).status());
    }
}
