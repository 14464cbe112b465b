package io.forewarn.server.metadata;

import static io.forewarn.core.Eventually.eventually;
import static io.forewarn.server.metadata.RawConnection.EVENTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.identity.IdentitySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client may not do, and that others do not notice. */
class LimitsTest {
    private static final String TRUE = "Metadata: true";
    private MetadataHarness harness;

    @AfterEach
    void stop() {
        harness.close();
    }

    @Test
    void moreThanFiveRequestsASecondAre429AndRefusedOnesDoNotCount() {
        harness = new MetadataHarness(MetadataSettings.AZURE);
        RateLimiter limiter = new RateLimiter(5, 0);
        long second = Duration.ofSeconds(1).toNanos();
        for (int i = 0; i < 5; i++) {
            assertTrue(limiter.admit(i));
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(false, limiter.admit(second - 100 + i));
        }
        assertTrue(limiter.admit(second));
        assertEquals(false, limiter.admit(second));
        assertTrue(limiter.admit(second + 1));

        try (RawConnection talk = harness.talk("127.0.0.1");
                RawConnection other = harness.talk("127.0.0.2")) {
            // However long the machine takes: of requests without a pause some come within a second of five others.
            RawConnection.Answer refused = null;
            for (int i = 0; i < 200 && refused == null; i++) {
                RawConnection.Answer answer = talk.poll("2017-03-01");
                refused = answer.status() == 429 ? answer : null;
            }
            assertEquals(429, refused.status());
            assertEquals("1", refused.header("retry-after"));
            assertEquals(200, other.poll("2017-03-01").status());
        }
    }

    @Test
    void howeverManyAskAtOnceASecondHoldsNoMore() throws Exception {
        harness = new MetadataHarness();
        long second = Duration.ofSeconds(1).toNanos();
        RateLimiter limiter = new RateLimiter(5, 0);
        ExecutorService loops = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < 2000; i++) {
                long now = i * second;
                Callable<Integer> loop = () -> {
                    int admitted = 0;
                    for (int k = 0; k < 5; k++) {
                        admitted += limiter.admit(now) ? 1 : 0;
                    }
                    return admitted;
                };
                int admitted = 0;
                for (Future<Integer> count : loops.invokeAll(Collections.nCopies(4, loop))) {
                    admitted += count.get();
                }
                assertEquals(5, admitted);
            }
        } finally {
            loops.shutdown();
        }
    }

    @Test
    void aLongRequestLineIs414() {
        harness = new MetadataHarness();
        try (RawConnection talk = harness.talk("127.0.0.1")) {
            RawConnection.Answer answer = talk.get(EVENTS + "2017-03-01&x=" + "y".repeat(5000), TRUE);
            assertEquals(414, answer.status());
            assertTrue(talk.closed());
        }
        fine();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 400})
    void largeHeadersAre431(int lines) {
        harness = new MetadataHarness();
        try (RawConnection talk = harness.talk("127.0.0.1")) {
            String[] headers = new String[lines];
            java.util.Arrays.fill(headers, "X-Filler: " + "y".repeat(10_000 / lines));
            assertEquals(431, talk.poll("2017-03-01", headers).status());
            assertTrue(talk.closed());
        }
        fine();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00ff\u0001 \u00fe\r\n\r\n",
                "GET\r\n\r\n",
                "GET /metadata/scheduledevents HTTP/9.9\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
                "POST /metadata/scheduledevents?api-version=2017-03-01 HTTP/1.1\r\nHost: x\r\nMetadata: true\r\nContent-Length: x\r\n\r\n",
                "POST /metadata/scheduledevents?api-version=2017-03-01 HTTP/1.1\r\nHost: x\r\nMetadata: true\r\nContent-Length: -1\r\n\r\n",
                "POST /metadata/scheduledevents?api-version=2017-03-01 HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n"
                        + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nx",
                "POST /metadata/scheduledevents?api-version=2017-03-01 HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
            })
    void badHttpIs400AndTheConnectionIsClosed(String bytes) {
        harness = new MetadataHarness();
        try (RawConnection talk = harness.talk("127.0.0.1")) {
            assertEquals(400, talk.send(bytes).answer().status());
            assertTrue(talk.closed());
        }
        fine();
    }

    @Test
    void aSlowSenderIsDisconnected() {
        harness = new MetadataHarness(MetadataHarness.impatient(Duration.ofMillis(300), Duration.ofSeconds(60)));
        try (RawConnection head = harness.talk("127.0.0.1");
                RawConnection body = harness.talk("127.0.0.1");
                RawConnection good = harness.talk("127.0.0.1")) {
            head.send("GET /metadata/sched");
            body.send(
                    RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: 100") + "\r\n{\"Start");
            assertTrue(head.closed());
            assertTrue(body.closed());
            assertEquals(200, good.poll("2017-03-01").status());
        }
    }

    /** Sending a byte now and then is slow too. */
    @Test
    void aDripDoesNotRenewPatience() {
        harness = new MetadataHarness(MetadataHarness.impatient(Duration.ofMillis(300), Duration.ofSeconds(60)));
        try (RawConnection talk = harness.talk("127.0.0.1")) {
            boolean[] dropped = {false};
            eventually(() -> {
                try {
                    talk.send("G");
                } catch (java.io.UncheckedIOException e) {
                    dropped[0] = true;
                }
                return dropped[0];
            });
        }
    }

    @Test
    void anIdleConnectionIsDropped() {
        harness = new MetadataHarness(MetadataHarness.impatient(Duration.ofMillis(100), Duration.ofMillis(300)));
        try (RawConnection silent = harness.talk("127.0.0.1");
                RawConnection once = harness.talk("127.0.0.1")) {
            assertEquals(200, once.poll("2017-03-01").status());
            assertTrue(silent.closed());
            assertTrue(once.closed());
        }
    }

    @Test
    void aClientThatDoesNotReadItsResponsesIsDisconnected() {
        harness = new MetadataHarness(MetadataHarness.impatient(Duration.ofMillis(500), Duration.ofSeconds(60)));
        fine();
        String requests =
                (RawConnection.head("GET /metadata/instance?api-version=2017-08-01", TRUE) + "\r\n").repeat(2000);
        try (RawConnection talk = harness.talk("127.0.0.1")) {
            boolean[] dropped = {false};
            eventually(() -> {
                try {
                    talk.send(requests);
                } catch (java.io.UncheckedIOException e) {
                    dropped[0] = true;
                }
                return dropped[0];
            });
        }
        fine();
    }

    @Test
    void aHalfClosedConnectionIsAnsweredAndLeavesNothingBehind() {
        harness = new MetadataHarness();
        for (int i = 0; i < 50; i++) {
            try (RawConnection talk = harness.talk("127.0.0.1")) {
                talk.send(RawConnection.head("GET " + EVENTS + "2017-03-01", TRUE) + "\r\n");
                assertEquals(200, talk.answer().status());
                talk.endOutput();
                assertTrue(talk.closed());
            }
            try (RawConnection talk = harness.talk("127.0.0.1")) {
                talk.send("GET /meta");
                talk.endOutput();
                assertTrue(talk.closed());
            }
        }
        eventually(() -> harness.server.connections() == 0);
    }

    @Test
    void oneAddressHoldsOnlySoManyConnections() {
        harness = new MetadataHarness(
                MetadataSettings.TEST.with(MetadataSettings.TEST.limits().withConnectionsPerSource(2)));
        try (RawConnection first = harness.talk("127.0.0.1");
                RawConnection second = harness.talk("127.0.0.1")) {
            assertEquals(200, first.poll("2017-03-01").status());
            assertEquals(200, second.poll("2017-03-01").status());
            try (RawConnection third = harness.talk("127.0.0.1")) {
                assertTrue(third.closed());
            }
            try (RawConnection other = harness.talk("127.0.0.2")) {
                assertEquals(200, other.poll("2017-03-01").status());
            }
        }
        eventually(() -> harness.server.connections() == 0);
        fine();
    }

    /** Noise of all kinds; whoever behaves is served all the while. */
    @Test
    void whenThereIsNoRoomNewConnectionsAreClosedAndOldOnesGoOn() {
        harness = small(8);
        List<RawConnection> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 7; i++) {
                RawConnection talk = harness.talk("127.0.0.1");
                waiting.add(talk);
                assertEquals(200, talk.poll("2017-03-01").status());
                talk.send(RawConnection.head(
                                "GET " + EVENTS + "2017-03-01",
                                TRUE,
                                "Prefer: wait=60",
                                "If-None-Match: " + MetadataHarness.etag(1))
                        + "\r\n");
            }
            eventually(() -> harness.server.held() == 7);
            try (RawConnection next = harness.talk("127.0.0.2")) {
                assertTrue(next.closed());
            }
            harness.schedule(Cause.FAILURE, "web-0");
            for (RawConnection talk : waiting) {
                assertEquals(200, talk.answer().status());
            }
            fine();
        } finally {
            waiting.forEach(RawConnection::close);
        }
        assertEquals(1, harness.logged.size(), harness.logged::toString);
        assertTrue(harness.logged.peek().contains("connections-full"), harness.logged::toString);
    }

    /** A machine of the fleet whose connection is idle reconnects; a stranger's is in nobody's way. */
    @Test
    void strangersHaveHalfAndTheirIdleConnectionsGoFirst() {
        harness = small(16);
        List<RawConnection> strangers = new ArrayList<>();
        try (RawConnection early = harness.talk("127.9.9.1")) {
            assertEquals(403, early.poll("2017-03-01").status());
            for (int i = 0; i < 40; i++) {
                strangers.add(harness.talk("127.9.9.9"));
            }
            strangers.removeIf(talk -> !answers(talk)); // Now all have been let in or sent away.
            assertEquals(7, strangers.stream().filter(LimitsTest::answers).count());
            assertEquals(403, early.poll("2017-03-01").status(), "it is not the one who holds most");
            List<RawConnection> machines = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                machines.add(harness.talk("127.0.0." + (1 + i % 3)));
                assertEquals(200, machines.get(i).poll("2017-03-01").status());
            }
            machines.forEach(talk -> assertEquals(200, talk.poll("2017-03-01").status()));
            machines.forEach(RawConnection::close);
        } finally {
            strangers.forEach(RawConnection::close);
        }
        assertEquals(1, harness.logged.size(), harness.logged::toString);
    }

    @Test
    void aRefusedRequestIsAnsweredBeforeItsBodyComesAndTheConnectionGoesOn() {
        harness = new MetadataHarness(MetadataSettings.TEST);
        try (RawConnection stranger = harness.talk("127.9.9.9");
                RawConnection known = harness.talk("127.0.0.1")) {
            for (int i = 0; i < 3; i++) {
                stranger.send(
                        RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: 60000") + "\r\n");
                assertEquals(403, stranger.answer().status());
                stranger.send("x".repeat(60_000));
            }
            known.send(RawConnection.head("PUT " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n");
            assertEquals(405, known.answer().status());
            known.send("3\r\nabc\r\n0\r\n\r\n");
            assertEquals(200, known.poll("2017-03-01").status());
        }
    }

    @Test
    void bodiesOfAllConnectionsTogetherAreBounded() {
        BodyBudget bodies = new BodyBudget(100_000);
        harness =
                new MetadataHarness(MetadataSettings.TEST, ServiceTerms.AZURE, IdentitySettings.DEFAULT, 1000, bodies);
        String half = RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: 60000") + "\r\n"
                + "x".repeat(30_000);
        try (RawConnection first = harness.talk("127.0.0.1");
                RawConnection second = harness.talk("127.0.0.2")) {
            first.send(half);
            eventually(() -> bodies.taken() == 30_000);
            second.send(half); // One tenant may have half of it.
            RawConnection.Answer answer = second.answer();
            assertEquals(503, answer.status());
            assertEquals("1", answer.header("retry-after"));
            first.send("x".repeat(15_000));
            eventually(() -> bodies.taken() == 45_000);
        }
        eventually(() -> bodies.taken() == 0);
        fine();
    }

    private static boolean answers(RawConnection talk) {
        try {
            return talk.poll("2017-03-01").status() == 403;
        } catch (java.io.UncheckedIOException closed) {
            return false;
        }
    }

    private static MetadataHarness small(int connections) {
        return new MetadataHarness(
                MetadataSettings.TEST,
                ServiceTerms.AZURE,
                IdentitySettings.DEFAULT,
                connections,
                new BodyBudget(1 << 20));
    }

    /** Who stands in front may have believed the other length. */
    @Test
    void aRequestWithTwoLengthsIsRefusedAndTheConnectionClosed() {
        harness = new MetadataHarness(MetadataSettings.TEST);
        try (RawConnection talk = harness.talk("127.0.0.1")) {
            talk.send(RawConnection.head(
                            "POST " + RawConnection.EVENTS + "2017-03-01",
                            "Metadata: true",
                            "Content-Length: 5",
                            "Transfer-Encoding: chunked")
                    + "\r\n0\r\n\r\n");
            assertEquals(400, talk.answer().status());
            assertTrue(talk.closed());
        }
    }

    @Test
    void randomBytesDoNoHarm() {
        harness = new MetadataHarness();
        Random random = new Random(7);
        String right = RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Content-Length: 20")
                + "\r\n{\"StartRequests\":[]}";
        try (RawConnection good = harness.talk("127.0.0.2")) {
            for (int i = 0; i < 2000; i++) {
                byte[] noise = new byte[random.nextInt(200)];
                random.nextBytes(noise);
                try (RawConnection bad = harness.talk("127.0.0.1")) {
                    bad.send(right.substring(0, random.nextInt(right.length())));
                    bad.send(noise);
                } catch (java.io.UncheckedIOException closedOnUs) {
                    assertTrue(closedOnUs.getMessage() != null);
                }
                if (i % 100 == 0) {
                    assertEquals(200, good.poll("2017-03-01").status());
                }
            }
        }
        eventually(() -> harness.server.connections() == 0);
    }

    private void fine() {
        try (RawConnection good = harness.talk("127.0.0.2")) {
            assertEquals(200, good.poll("2017-03-01").status());
        }
    }
}
