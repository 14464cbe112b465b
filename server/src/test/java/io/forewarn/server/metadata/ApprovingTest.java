package io.forewarn.server.metadata;

import static io.forewarn.server.metadata.RawConnection.EVENTS;
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
    private MetadataHarness harness;
    private RawConnection connection;

    @BeforeEach
    void start() {
        harness = new MetadataHarness();
        connection = harness.talk("127.0.0.1");
        connection.poll("2017-03-01");
    }

    @AfterEach
    void stop() {
        connection.close();
        harness.close();
    }

    @Test
    void anApprovedEventStartsByTheNextPollEvenIfTheClockStandsStill() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        RawConnection.Answer answer = connection.approve("2017-03-01", id);
        assertEquals(200, answer.status());
        assertEquals("", answer.body());
        assertEquals("0", answer.header("content-length"));
        String body = connection.poll("2017-03-01").body();
        assertTrue(body.startsWith("{\"DocumentIncarnation\":3,"), body);
        assertTrue(body.contains("\"EventStatus\":\"Started\""), body);
    }

    @Test
    void shutdownWaitsForApprovalsInFlightOnly() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        String tag = connection.poll("2017-03-01").header("etag");
        try (RawConnection held = harness.talk("127.0.0.2")) {
            held.send(
                    RawConnection.head("GET " + EVENTS + "2017-03-01", TRUE, "If-None-Match: " + tag, "Prefer: wait=60")
                            + "\r\n");
            MetadataHarness.eventually(() -> harness.server.held() == 1);
            harness.pause();
            String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
            connection.send(
                    RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: " + body.length())
                            + "\r\n" + body);
            MetadataHarness.eventually(() -> harness.engine.queued() == 1);
            Future<Void> closed = harness.server.close();
            assertFalse(closed.isComplete());
            harness.goOn();
            assertEquals(200, connection.answer().status());
            MetadataHarness.await(closed);
        }
    }

    @Test
    void aMachineTakenOutOfTheFleetWhileItSpeaksApprovesNothing() {
        EventId id = harness.schedule(Cause.RESTART, "web-1");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        connection.send(RawConnection.head(
                        "POST " + RawConnection.EVENTS + "2017-03-01", "Metadata: true", "Expect: 100-continue")
                + "Content-Length: " + body.length() + "\r\n\r\n");
        assertEquals(100, connection.answer().status());
        harness.remove("web-0");
        connection.send(body);
        assertEquals(403, connection.answer().status());
        try (RawConnection other = harness.talk("127.0.0.2")) {
            assertTrue(other.poll("2017-03-01").body().contains("\"EventStatus\":\"Scheduled\""));
        }
    }

    @Test
    void anIdIsComparedWithoutRegardToCase() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        assertEquals(
                200,
                connection
                        .approve("2017-03-01", id.toString().toLowerCase(Locale.ROOT))
                        .status());
    }

    @Test
    void anyMachineOfTheGroupMayApproveAlsoOneThatIsNotListed() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        try (RawConnection other = harness.talk("127.0.0.3")) {
            assertEquals(200, other.approve("2020-07-01", id).status());
        }
        assertTrue(connection.poll("2017-03-01").body().contains("Started"));
    }

    @Test
    void approvingWhatIsApprovedOrStartedIs200Again() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        assertEquals(200, connection.approve("2017-03-01", id).status());
        assertEquals(200, connection.approve("2017-08-01", id).status());
        assertTrue(connection.poll("2017-03-01").body().startsWith("{\"DocumentIncarnation\":3,"));
    }

    @Test
    void anEventOfAnotherGroupCanNeitherBeReadNorApproved() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        try (RawConnection lone = harness.talk("127.0.2.1")) {
            assertFalse(lone.poll("2017-03-01").body().contains(id.toString()));
            RawConnection.Answer answer = lone.approve("2017-03-01", id);
            assertEquals(400, answer.status());
            assertFalse(answer.body().contains("web"), answer.body());
        }
        assertTrue(connection.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void oneUnknownIdApprovesNothing() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        RawConnection.Answer answer = connection.post(
                EVENTS + "2017-03-01",
                "{\"StartRequests\":[{\"EventId\":\"" + id
                        + "\"},{\"EventId\":\"F020BA2E-3BC0-4C40-A10B-86575A9EABD5\"}]}",
                TRUE);
        assertEquals(400, answer.status());
        assertTrue(connection.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void aFinishedEventIs400() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        connection.approve("2017-03-01", id);
        harness.advance(Duration.ofMinutes(3));
        assertEquals(
                "{\"DocumentIncarnation\":4,\"Events\":[]}",
                connection.poll("2017-03-01").body());
        assertEquals(400, connection.approve("2017-03-01", id).status());
    }

    @Test
    void severalEventsAreApprovedTogether() {
        EventId first = harness.schedule(Cause.RESTART, "web-0");
        EventId second = harness.schedule(Cause.RESTART, "web-1");
        assertEquals(
                200,
                connection
                        .post(
                                EVENTS + "2017-03-01",
                                "{\"StartRequests\":[{\"EventId\":\"" + first + "\"},{\"EventId\":\"" + second
                                        + "\"}]}",
                                TRUE)
                        .status());
        assertFalse(connection.poll("2017-03-01").body().contains("Scheduled"));
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
        RawConnection.Answer answer = connection.post(EVENTS + "2017-03-01", body, TRUE);
        assertEquals(400, answer.status());
        assertTrue(answer.body().startsWith("{\"error\":\""), answer.body());
        assertEquals(200, connection.poll("2017-03-01").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: application/json",
                "Content-Type: text/nonsense; x",
                "X-Nothing: 1"
            })
    void theContentTypeIsIgnored(String type) {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        String body = "{\"DocumentIncarnation\":\"5\", \"StartRequests\": [{\"EventId\": \"" + id + "\"}]}";
        assertEquals(
                200, connection.post(EVENTS + "2017-03-01", body, TRUE, type).status());
    }

    @Test
    void expectContinueIsAnswered() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        connection.send(RawConnection.head(
                        "POST " + EVENTS + "2017-03-01",
                        TRUE,
                        "Expect: 100-continue",
                        "Content-Length: " + body.length())
                + "\r\n");
        assertEquals(100, connection.answer().status());
        assertEquals(200, connection.send(body).answer().status());
        assertEquals(200, connection.poll("2017-03-01").status());
    }

    @Test
    void expectContinueForARefusedRequestIsAnsweredAtOnce() {
        connection.send(
                RawConnection.head("POST " + EVENTS + "latest", TRUE, "Expect: 100-continue", "Content-Length: 10")
                        + "\r\n");
        assertEquals(400, connection.answer().status());
        assertTrue(connection.closed());
    }

    @Test
    void aBodyInChunksIsRead() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        StringBuilder chunks = new StringBuilder();
        for (char c : body.toCharArray()) {
            chunks.append("1\r\n").append(c).append("\r\n");
        }
        connection.send(RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n"
                + chunks + "0\r\n\r\n");
        assertEquals(200, connection.answer().status());
    }

    @Test
    void theLargestBodyIsReadAndALargerOneIs413() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        assertEquals(
                200,
                connection
                        .post(EVENTS + "2017-03-01", body + " ".repeat(65536 - body.length()), TRUE)
                        .status());
        RawConnection.Answer answer =
                connection.post(EVENTS + "2017-03-01", body + " ".repeat(65537 - body.length()), TRUE);
        assertEquals(413, answer.status());
        assertTrue(connection.closed());
    }

    @Test
    void aBodyThatGrowsTooLargeInChunksIs413() {
        connection.send(
                RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n");
        String chunk = "1000\r\n" + " ".repeat(4096) + "\r\n";
        for (int i = 0; i < 17; i++) {
            connection.send(chunk);
        }
        assertEquals(413, connection.answer().status());
        connection.send("0\r\n\r\n");
        assertTrue(connection.closed());
    }

    @Test
    void anApprovalTheStoreDoesNotTakeIs503AndApprovesNothing() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        harness.store.fail(Fault.REJECTED);
        RawConnection.Answer answer = connection.approve("2017-03-01", id);
        assertEquals(503, answer.status());
        assertEquals("1", answer.header("retry-after"));
        assertTrue(connection.poll("2017-03-01").body().contains("Scheduled"));
        assertEquals(200, connection.approve("2017-03-01", id).status());
    }

    @Test
    void anApprovalIsAnsweredOnlyWhenItIsDurable() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        harness.pause();
        String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
        connection.send(RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: " + body.length())
                + "\r\n" + body);
        MetadataHarness.eventually(() -> harness.engine.queued() == 1);
        try (RawConnection other = harness.talk("127.0.0.2")) {
            assertTrue(other.poll("2017-03-01").body().contains("Scheduled"));
        }
        long before = harness.disk.head().seq();
        harness.goOn();
        assertEquals(200, connection.answer().status());
        assertTrue(harness.disk.head().seq() > before);
    }

    @Test
    void anApprovalCountsAgainstSilence() {
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        harness.advance(Duration.ofMinutes(14));
        assertEquals(200, connection.approve("2017-03-01", id).status());
        harness.advance(Duration.ofHours(24).minusMinutes(1));
        harness.schedule(Cause.RESTART, "web-1");
        assertTrue(connection.poll("2017-03-01").body().contains("Scheduled"));
    }
}
