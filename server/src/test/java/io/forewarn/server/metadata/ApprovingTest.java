package io.forewarn.server.metadata;

import static io.forewarn.server.metadata.Talk.EVENTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.SimulatedStore.Fault;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract §3, seen over HTTP. */
class ApprovingTest {
    private static final String TRUE = "Metadata: true";
    private Station station;
    private Talk talk;

    @BeforeEach
    void start() {
        station = new Station();
        talk = station.talk("127.0.0.1");
        talk.poll("2017-03-01");
    }

    @AfterEach
    void stop() {
        talk.close();
        station.close();
    }

    @Test
    void anApprovedEventIsStartedAtTheNextPollAlsoOnAClockThatStandsStill() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        Talk.Answer answer = talk.approve("2017-03-01", id);
        assertEquals(200, answer.status());
        assertEquals("", answer.body());
        assertEquals("0", answer.header("content-length"));
        String body = talk.poll("2017-03-01").body();
        assertTrue(body.startsWith("{\"DocumentIncarnation\":3,"), body);
        assertTrue(body.contains("\"EventStatus\":\"Started\""), body);
    }

    @Test
    void anEndWaitsForApprovalsThatAreUnderWayAndForNobodyElse() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        String tag = talk.poll("2017-03-01").header("etag");
        try (Talk held = station.talk("127.0.0.2")) {
            held.send(Talk.head("GET " + EVENTS + "2017-03-01", TRUE, "If-None-Match: " + tag, "Prefer: wait=60")
                    + "\r\n");
            Station.eventually(() -> station.server.held() == 1);
            station.pause();
            String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
            talk.send(Talk.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: " + body.length()) + "\r\n"
                    + body);
            Station.eventually(() -> station.engine.queued() == 1);
            Future<Void> closed = station.server.close();
            assertFalse(closed.isComplete());
            station.goOn();
            assertEquals(200, talk.answer().status());
            Station.await(closed);
        }
    }

    @Test
    void aMachineTakenOutOfTheFleetWhileItSpeaksApprovesNothing() {
        EventId id = station.schedule(Cause.RESTART, "web-1");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        talk.send(Talk.head("POST " + Talk.EVENTS + "2017-03-01", "Metadata: true", "Expect: 100-continue")
                + "Content-Length: " + body.length() + "\r\n\r\n");
        assertEquals(100, talk.answer().status());
        station.remove("web-0");
        talk.send(body);
        assertEquals(403, talk.answer().status());
        try (Talk other = station.talk("127.0.0.2")) {
            assertTrue(other.poll("2017-03-01").body().contains("\"EventStatus\":\"Scheduled\""));
        }
    }

    @Test
    void anIdIsComparedWithoutRegardToCase() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        assertEquals(
                200,
                talk.approve("2017-03-01", id.toString().toLowerCase(Locale.ROOT))
                        .status());
    }

    @Test
    void anyMachineOfTheGroupMayApproveAlsoOneThatIsNotListed() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        try (Talk other = station.talk("127.0.0.3")) {
            assertEquals(200, other.approve("2020-07-01", id).status());
        }
        assertTrue(talk.poll("2017-03-01").body().contains("Started"));
    }

    @Test
    void approvingWhatIsApprovedOrStartedIs200Again() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        assertEquals(200, talk.approve("2017-03-01", id).status());
        assertEquals(200, talk.approve("2017-08-01", id).status());
        assertTrue(talk.poll("2017-03-01").body().startsWith("{\"DocumentIncarnation\":3,"));
    }

    @Test
    void anEventOfAnotherGroupCanNeitherBeReadNorApproved() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        try (Talk lone = station.talk("127.0.2.1")) {
            assertFalse(lone.poll("2017-03-01").body().contains(id.toString()));
            Talk.Answer answer = lone.approve("2017-03-01", id);
            assertEquals(400, answer.status());
            assertFalse(answer.body().contains("web"), answer.body());
        }
        assertTrue(talk.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void oneUnknownIdApprovesNothing() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        Talk.Answer answer = talk.post(
                EVENTS + "2017-03-01",
                "{\"StartRequests\":[{\"EventId\":\"" + id
                        + "\"},{\"EventId\":\"F020BA2E-3BC0-4C40-A10B-86575A9EABD5\"}]}",
                TRUE);
        assertEquals(400, answer.status());
        assertTrue(talk.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void aFinishedEventIs400() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        talk.approve("2017-03-01", id);
        station.advance(Duration.ofMinutes(3));
        assertEquals(
                "{\"DocumentIncarnation\":4,\"Events\":[]}",
                talk.poll("2017-03-01").body());
        assertEquals(400, talk.approve("2017-03-01", id).status());
    }

    @Test
    void severalEventsAreApprovedTogether() {
        EventId first = station.schedule(Cause.RESTART, "web-0");
        EventId second = station.schedule(Cause.RESTART, "web-1");
        assertEquals(
                200,
                talk.post(
                                EVENTS + "2017-03-01",
                                "{\"StartRequests\":[{\"EventId\":\"" + first + "\"},{\"EventId\":\"" + second
                                        + "\"}]}",
                                TRUE)
                        .status());
        assertFalse(talk.poll("2017-03-01").body().contains("Scheduled"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{}",
                "[]",
                "{\"StartRequests\":{}}",
                "{\"StartRequests\":[]}",
                "{\"StartRequests\":[7]}"
            })
    void aWrongBodyIs400AndTheConnectionGoesOn(String body) {
        Talk.Answer answer = talk.post(EVENTS + "2017-03-01", body, TRUE);
        assertEquals(400, answer.status());
        assertTrue(answer.body().startsWith("{\"error\":\""), answer.body());
        assertEquals(200, talk.poll("2017-03-01").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: application/json",
                "Content-Type: text/nonsense; x",
                "X-Nothing: 1"
            })
    void theContentTypeIsNeverLookedAt(String type) {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        String body = "{\"DocumentIncarnation\":\"5\", \"StartRequests\": [{\"EventId\": \"" + id + "\"}]}";
        assertEquals(200, talk.post(EVENTS + "2017-03-01", body, TRUE, type).status());
    }

    @Test
    void expectContinueIsAnswered() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        talk.send(Talk.head(
                        "POST " + EVENTS + "2017-03-01",
                        TRUE,
                        "Expect: 100-continue",
                        "Content-Length: " + body.length())
                + "\r\n");
        assertEquals(100, talk.answer().status());
        assertEquals(200, talk.send(body).answer().status());
        assertEquals(200, talk.poll("2017-03-01").status());
    }

    @Test
    void whoExpectsContinueForARequestThatIsRefusedIsToldAtOnce() {
        talk.send(Talk.head("POST " + EVENTS + "latest", TRUE, "Expect: 100-continue", "Content-Length: 10") + "\r\n");
        assertEquals(400, talk.answer().status());
        assertTrue(talk.closed());
    }

    @Test
    void aBodyInChunksIsRead() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        StringBuilder chunks = new StringBuilder();
        for (char c : body.toCharArray()) {
            chunks.append("1\r\n").append(c).append("\r\n");
        }
        talk.send(Talk.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n" + chunks
                + "0\r\n\r\n");
        assertEquals(200, talk.answer().status());
    }

    @Test
    void theLargestBodyIsReadAndALargerOneIs413() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        assertEquals(
                200,
                talk.post(EVENTS + "2017-03-01", body + " ".repeat(65536 - body.length()), TRUE)
                        .status());
        Talk.Answer answer = talk.post(EVENTS + "2017-03-01", body + " ".repeat(65537 - body.length()), TRUE);
        assertEquals(413, answer.status());
        assertTrue(talk.closed());
    }

    @Test
    void aBodyThatGrowsTooLargeInChunksIs413() {
        talk.send(Talk.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n");
        String chunk = "1000\r\n" + " ".repeat(4096) + "\r\n";
        for (int i = 0; i < 17; i++) {
            talk.send(chunk);
        }
        assertEquals(413, talk.answer().status());
        talk.send("0\r\n\r\n");
        assertTrue(talk.closed());
    }

    @Test
    void anApprovalTheStoreDoesNotTakeIs503AndApprovesNothing() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        station.store.fail(Fault.REJECTED);
        Talk.Answer answer = talk.approve("2017-03-01", id);
        assertEquals(503, answer.status());
        assertEquals("1", answer.header("retry-after"));
        assertTrue(talk.poll("2017-03-01").body().contains("Scheduled"));
        assertEquals(200, talk.approve("2017-03-01", id).status());
    }

    @Test
    void anApprovalIsAnsweredOnlyWhenItIsDurable() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        station.pause();
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        talk.send(Talk.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: " + body.length()) + "\r\n" + body);
        Station.eventually(() -> station.engine.queued() == 1);
        try (Talk other = station.talk("127.0.0.2")) {
            assertTrue(other.poll("2017-03-01").body().contains("Scheduled"));
        }
        long before = station.disk.head().seq();
        station.goOn();
        assertEquals(200, talk.answer().status());
        assertTrue(station.disk.head().seq() > before);
    }

    @Test
    void anApprovalCountsAgainstSilence() {
        EventId id = station.schedule(Cause.RESTART, "web-0");
        station.advance(Duration.ofMinutes(14));
        assertEquals(200, talk.approve("2017-03-01", id).status());
        station.advance(Duration.ofHours(24).minusMinutes(1));
        station.schedule(Cause.RESTART, "web-1");
        assertTrue(talk.poll("2017-03-01").body().contains("Scheduled"));
    }
}
