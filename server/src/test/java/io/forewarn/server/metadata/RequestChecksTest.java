package io.forewarn.server.metadata;

import static io.forewarn.server.metadata.RawConnection.EVENTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.wire.azure.ApiVersion;
import io.forewarn.wire.azure.ErrorJson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract §1 and §4. */
class RequestChecksTest {
    private static final String TRUE = "Metadata: true";
    private static MetadataHarness harness;
    private RawConnection connection;

    @BeforeAll
    static void start() {
        harness = new MetadataHarness();
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    @BeforeEach
    void connect() {
        connection = harness.talk("127.0.0.1");
    }

    @AfterEach
    void disconnect() {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/metadata/scheduledevents?api-version=2017-03-01",
                "/Metadata/ScheduledEvents?api-version=2017-03-01",
                "/METADATA/SCHEDULEDEVENTS?API-Version=2017-03-01",
                "/metadata/scheduledevents?format=json&api-version=2017-03-01&x",
                "/metadata/scheduledevents?api-version=2017%2D03%2D01",
                "http://169.254.169.254/metadata/scheduledevents?api-version=2017-03-01"
            })
    void thePathIsMatchedWithoutRegardToCaseAndUnknownParametersAreIgnored(String uri) {
        RawConnection.Answer answer = connection.get(uri, TRUE);
        assertEquals(200, answer.status());
        assertEquals("application/json; charset=utf-8", answer.header("content-type"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/metadata",
                "/metadata/scheduledevents/",
                "/metadata/scheduledevents/x",
                "/metadata/scheduledevent",
                "*",
                "//metadata/scheduledevents",
                "/metadata/../metadata/scheduledevents",
                "http://x",
                "/metadata/instances"
            })
    void anUnknownPathIs404(String path) {
        RawConnection.Answer answer = connection.get(path, TRUE);
        assertEquals(404, answer.status());
        assertEquals("{ \"error\": \"Not found\" }", answer.body());
    }

    @Test
    void theDeadPreviewPathNamesTheRightOne() {
        RawConnection.Answer answer = connection.get("/metadata/latest/scheduledevents", TRUE);
        assertEquals(404, answer.status());
        assertTrue(answer.body().contains("/metadata/scheduledevents?api-version="), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "OPTIONS", "PATCH", "BREW", "TRACE"})
    void anyOtherMethodIs405AndSaysWhichAreAllowed(String method) {
        RawConnection.Answer answer = connection.ask(method + " " + EVENTS + "2017-03-01 HTTP/1.1", TRUE);
        assertEquals(405, answer.status());
        assertEquals("GET, POST", answer.header("allow"));
        assertEquals(
                "GET",
                connection.ask(method + " /metadata/versions HTTP/1.1", TRUE).header("allow"));
        assertEquals(200, connection.poll("2017-03-01").status());
    }

    @Test
    void headIs405WithoutABody() {
        connection.send(RawConnection.head("HEAD " + EVENTS + "2017-03-01", TRUE, "Connection: close") + "\r\n");
        assertEquals(405, new HeadOnly(connection).status());
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void everyVersionAnswers(ApiVersion version) {
        assertEquals(200, connection.poll(version.text()).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Metadata: true", "metadata: true", "METADATA: TRUE", "Metadata:true", "mEtAdAtA:   tRuE  "})
    void theMetadataHeaderIsReadWithoutRegardToCase(String header) {
        assertEquals(200, connection.get(EVENTS + "2017-08-01", header).status());
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void aGetWithoutTheMetadataHeaderIs400InEveryVersion(ApiVersion version) {
        RawConnection.Answer answer = connection.get(EVENTS + version);
        assertEquals(400, answer.status());
        assertEquals("{ \"error\": \"Bad request: . Required metadata header not specified\" }", answer.body());
        assertEquals(400, connection.get(EVENTS + version, "Metadata: false").status());
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void aPostWithoutTheMetadataHeaderIsToleratedInTheFirstVersionOnly(ApiVersion version) {
        connection.poll(version.text());
        EventId id = harness.schedule(Cause.FAILURE, "web-2");
        RawConnection.Answer answer =
                connection.post(EVENTS + version, "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}");
        assertEquals(version == ApiVersion.V2017_03_01 ? 200 : 400, answer.status());
        harness.advance(java.time.Duration.ofMinutes(6));
    }

    /** A detector of Azure takes exactly 400 as "yes". */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/metadata",
                "/metadata/instance",
                "/metadata/latest/scheduledevents",
                "/metadata/versions",
                "/forewarn/v1/events"
            })
    void anyPathWithoutTheHeaderIs400(String path) {
        assertEquals(400, connection.get(path).status());
        assertEquals(400, connection.post(path, "{}").status());
    }

    @Test
    void aSettingAcceptsAPostWithoutTheHeaderInEveryVersion() {
        try (MetadataHarness lenient = new MetadataHarness(MetadataSettings.TEST.acceptingPostWithoutHeader());
                RawConnection machine = lenient.talk("127.0.0.1")) {
            machine.poll("2017-03-01");
            EventId id = lenient.schedule(Cause.FAILURE, "web-2");
            String body = "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}";
            for (ApiVersion version : ApiVersion.values()) {
                assertEquals(200, machine.post(EVENTS + version, body).status());
                assertEquals(
                        400,
                        machine.post(EVENTS + version, body, "Metadata: false").status());
                assertEquals(400, machine.get(EVENTS + version).status());
            }
            assertEquals(400, machine.post("/metadata/versions", body).status());
        }
    }

    @Test
    void aForwardedRequestIs400() {
        RawConnection.Answer answer = connection.poll("2017-03-01", "X-Forwarded-For: 10.0.0.1");
        assertEquals(400, answer.status());
        assertTrue(answer.body().contains("X-Forwarded-For"));
        assertEquals(400, connection.poll("2017-03-01", "x-forwarded-for:").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2017-03-01&api-version=2017-03-01",
                "2017-03-01&API-VERSION=2017-08-01",
                "2017-03-01&format=json&format=json",
                "2017-03-01&x&x"
            })
    void aParameterThatIsThereTwiceIs400(String query) {
        RawConnection.Answer answer = connection.poll(query);
        assertEquals(400, answer.status());
        assertTrue(answer.body().contains("twice"), answer.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?",
                "?api-version",
                "?api-version=",
                "?api-version=latest",
                "?api-version={latest}",
                "?api-version=2017-3-1",
                "?api-version=2017-13-01",
                "?api-version=%ZZ",
                "?version=2017-03-01"
            })
    void aMissingVersionOrOneThatIsNoDateIs400(String query) {
        RawConnection.Answer answer = connection.get("/metadata/scheduledevents" + query, TRUE);
        assertEquals(400, answer.status());
        assertEquals(ErrorJson.NO_API_VERSION, answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2016-01-01", "2017-03-02", "2030-01-01", "2021-02-28"})
    void aDateThatIsNoVersionIs404(String version) {
        RawConnection.Answer answer = connection.poll(version);
        assertEquals(404, answer.status());
        assertEquals("{ \"error\": \"Not found. Invalid version requested\" }", answer.body());
    }

    /** Each request is wrong in all that follows too; the first wrong thing is the one that is told. */
    @Test
    void theChecksComeInTheirOrder() {
        String[] nothing = {};
        try (RawConnection stranger = harness.talk("127.9.9.9")) {
            assertTrue(
                    stranger.ask("PUT /x HTTP/1.1", "X-Forwarded-For: 1").body().contains("X-Forwarded-For"));
            assertTrue(stranger.ask("PUT /x HTTP/1.1").body().contains("metadata header"));
            assertTrue(stranger.get("/", nothing).body().contains("metadata header"));
            assertEquals(404, stranger.ask("PUT /x HTTP/1.1", TRUE).status());
            assertEquals(
                    405,
                    stranger.ask("PUT /metadata/scheduledevents HTTP/1.1", TRUE).status());
            assertEquals(
                    403, stranger.get("/metadata/scheduledevents?a&a", TRUE).status());
        }
        assertTrue(connection.get("/metadata/scheduledevents?a&a", TRUE).body().contains("twice"));
        assertTrue(connection.post("/metadata/scheduledevents", "", TRUE).body().contains("api-version"));
        assertEquals(404, connection.post(EVENTS + "2016-01-01", "", TRUE).status());
        assertTrue(connection.post(EVENTS + "2017-03-01", "", TRUE).body().contains("body is empty"));
    }

    @Test
    void anUnknownCallerGets403AndLearnsNothingOfTheFleet() {
        try (RawConnection stranger = harness.talk("127.9.9.9")) {
            RawConnection.Answer answer = stranger.poll("2017-03-01");
            assertEquals(403, answer.status());
            assertEquals("{\"error\":\"Forbidden\"}", answer.body());
            assertFalse(answer.headers().containsKey("etag"));
            assertEquals(
                    403,
                    stranger.get("/metadata/instance?api-version=2017-08-01", TRUE)
                            .status());
            assertEquals(
                    403,
                    stranger.approve("2017-03-01", "F020BA2E-3BC0-4C40-A10B-86575A9EABD5")
                            .status());
        }
    }

    @Test
    void http10IsAnsweredAndClosed() {
        RawConnection.Answer answer = connection
                .send("GET " + EVENTS + "2017-03-01 HTTP/1.0\r\nMetadata: true\r\n\r\n")
                .answer();
        assertEquals(200, answer.status());
        assertTrue(connection.closed());
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() {
        String one = RawConnection.head("GET " + EVENTS + "2017-03-01", TRUE) + "\r\n";
        String two = RawConnection.head("GET /nothing", TRUE) + "\r\n";
        connection.send(one + two + one);
        assertEquals(200, connection.answer().status());
        assertEquals(404, connection.answer().status());
        assertEquals(200, connection.answer().status());
    }

    @Test
    void untilItIsReadyEverythingIs503() {
        harness.server.ready(false);
        try {
            RawConnection.Answer answer = connection.poll("2017-03-01");
            assertEquals(503, answer.status());
            assertEquals("1", answer.header("retry-after"));
            assertEquals(503, connection.get("/metadata/versions", TRUE).status());
            assertEquals(503, connection.approve("2017-03-01", "x").status());
        } finally {
            harness.server.ready(true);
        }
        assertEquals(200, connection.poll("2017-03-01").status());
    }

    @Test
    void noHeaderTellsMoreThanItMust() {
        RawConnection.Answer answer = connection.poll("2017-03-01");
        assertNull(answer.header("server"));
        assertEquals(
                java.util.Set.of("content-type", "content-length", "etag"),
                answer.headers().keySet());
    }

    @Test
    void pollsAreCountedByVersionAndStatus() {
        connection.poll("2017-03-01");
        long before = counted("2019-01-01", 200);
        connection.poll("2019-01-01");
        // A poll is counted after it is answered, and before the next request of its connection is.
        connection.poll("2017-03-01");
        assertEquals(before + 1, counted("2019-01-01", 200));
    }

    private static long counted(String version, int status) {
        long[] found = {0};
        harness.server.counters().forEach((v, s, count) -> found[0] += v.equals(version) && s == status ? count : 0);
        return found[0];
    }

    /** An answer whose Content-Length speaks of a body that does not come. */
    private record HeadOnly(RawConnection talk) {
        int status() {
            try {
                return talk.answer().status();
            } finally {
                talk.close();
            }
        }
    }
}
