package io.forewarn.server.metadata;

import static io.forewarn.server.metadata.RawConnection.EVENTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that two readers could understand in two ways, or that are meant for another server. */
class StrictHttpTest {
    private static final String TRUE = "Metadata: true";
    private static MetadataHarness harness;

    @BeforeAll
    static void start() {
        harness = new MetadataHarness(MetadataSettings.TEST.withHostNames("Metadata.example.org", "*.wild.example"));
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "identity",
                "gzip",
                "gzip, chunked",
                "chunked, identity",
                "xchunked",
                "chunked\r\nTransfer-Encoding: identity"
            })
    void aTransferCodingOtherThanChunkedIs501AndWhatFollowsIsNotRead(String coding) {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            String poll = RawConnection.head("GET " + EVENTS + "2017-03-01", TRUE) + "\r\n";
            connection.send(RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: " + coding)
                    + "\r\n" + poll);
            assertEquals(501, connection.answer().status());
            assertEquals("", connection.rest());
        }
    }

    @Test
    void chunkedInAnySpellingIsUnderstood() {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            connection.send(RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: CHUNKED")
                    + "\r\n0\r\n\r\n");
            assertTrue(connection.answer().body().contains("body is empty"));
            assertEquals(200, connection.poll("2017-03-01").status());
        }
    }

    /** A reader that counts in 32 bits takes the first of these for an empty chunk, and what follows for a request. */
    @ParameterizedTest
    @ValueSource(strings = {"100000000", "0000000000", "1000000000000000A", "FFFFFFFFF;x=y", " 5", "g", "", "80000000"})
    void aChunkSizeOfMoreThanEightDigitsOrNoneIs400AndWhatFollowsIsNotRead(String size) {
        String head = RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n";
        String poll = RawConnection.head("GET " + EVENTS + "2017-03-01", TRUE) + "\r\n";
        for (String before : new String[] {"", "2\r\n{}\r\n", "1\r\n{\r\n1\r\n}\r\n"}) {
            try (RawConnection connection = harness.talk("127.0.0.1")) {
                connection.send(head + before + size + "\r\n\r\n" + poll);
                assertEquals(400, connection.answer().status());
                assertEquals("", connection.rest());
            }
        }
    }

    /** A reader that stops at the first blank and one that skips blanks see two sizes. */
    @ParameterizedTest
    @ValueSource(strings = {"0 5", "0\t5", "0\u0000", "0\r5", "0;a\rb", "0 x;a", "0\u000b"})
    void aChunkSizeWithSomethingBehindItIs400AndWhatFollowsIsNotRead(String size) {
        String head = RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n";
        String poll = RawConnection.head("GET " + EVENTS + "2017-03-01", TRUE) + "\r\n";
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            connection.send(head + "2\r\n{}\r\n" + size + "\r\n\r\n" + poll);
            assertEquals(400, connection.answer().status());
            assertEquals("", connection.rest());
        }
    }

    @Test
    void chunksAreParsedHoweverTheyAreSplit() {
        String head = RawConnection.head("POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: chunked") + "\r\n";
        String body =
                "00000005\r\n{\"a\":\r\na ;b=\"c d\"\r\n1234567890\r\n1 \r\n}\r\n0\r\nX-Trailer: 100000000\r\n\r\n";
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            String whole = connection
                    .post(EVENTS + "2017-03-01", "{\"a\":1234567890}", TRUE)
                    .body();
            for (int cut = 0; cut <= body.length(); cut++) {
                connection.send(head + body.substring(0, cut));
                connection.send(body.substring(cut));
                assertEquals(whole, connection.answer().body(), "cut at " + cut);
            }
            assertEquals(200, connection.poll("2017-03-01").status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "gzip", "identity"})
    void aTransferCodingBesidesALengthIs400(String coding) {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            connection.send(RawConnection.head(
                            "POST " + EVENTS + "2017-03-01", TRUE, "Transfer-Encoding: " + coding, "Content-Length: 5")
                    + "\r\n0\r\n\r\n");
            assertEquals(400, connection.answer().status());
            assertEquals("", connection.rest());
        }
    }

    @Test
    void http11NamesItsHostOnce() {
        String line = "GET " + EVENTS + "2017-03-01 HTTP/1.1\r\n" + TRUE + "\r\n";
        for (String hosts : new String[] {"", "Host: a\r\nHost: a\r\n"}) {
            try (RawConnection connection = harness.talk("127.0.0.1")) {
                connection.send(line + hosts + "\r\n");
                assertEquals(400, connection.answer().status());
                assertEquals("", connection.rest());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.169.254:80",
                "127.0.0.1:8169",
                "[fe80::1%eth0]:80",
                "[::1]",
                "localhost",
                "LOCALHOST:99",
                "metadata",
                "my_host-1",
                "metadata.example.org",
                "METADATA.EXAMPLE.ORG:8169",
                "a.wild.example"
            })
    void anAddressAPlainNameOrAConfiguredOneIsUs(String host) {
        assertEquals(200, asked("/metadata/scheduledevents?api-version=2017-03-01", host));
        assertEquals(200, asked("http://" + host + "/metadata/scheduledevents?api-version=2017-03-01", "x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "evil.example:8169",
                "evil.",
                "localhost.",
                "metadata.example.org.",
                "127.0.0.1.:80",
                "169.254.169.254.evil.example",
                "1.2.3",
                "300.1.1.1",
                "user@localhost",
                "localhost:80:80",
                "local host",
                "[evil.example]",
                "wild.example",
                "a.b.wild.example"
            })
    void anyOtherNameIs400(String host) {
        assertEquals(400, asked("/metadata/scheduledevents?api-version=2017-03-01", host));
        assertEquals(400, asked("http://" + host + "/metadata/scheduledevents?api-version=2017-03-01", "x"));
    }

    private static int asked(String uri, String host) {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            return connection
                    .send("GET " + uri + " HTTP/1.1\r\n" + TRUE + "\r\nHost: " + host + "\r\n\r\n")
                    .answer()
                    .status();
        }
    }

    @Test
    void aHostThatWasAcceptedIsCheckedAgainWhenItChanges() {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            String poll = "GET " + EVENTS + "2017-03-01 HTTP/1.1\r\n" + TRUE + "\r\nHost: ";
            assertEquals(
                    200, connection.send(poll + "localhost\r\n\r\n").answer().status());
            assertEquals(
                    400, connection.send(poll + "evil.example\r\n\r\n").answer().status());
            assertEquals(
                    200, connection.send(poll + "localhost\r\n\r\n").answer().status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/9.9", "HTTP/2.0", "HTTP/1.7", "EVIL/1.1", "http/1.1"})
    void anUnknownVersionIsNotEchoed(String version) {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            connection.send("GET " + EVENTS + "2017-03-01 " + version + "\r\nHost: a\r\n" + TRUE + "\r\n\r\n");
            String said = connection.rest();
            assertTrue(said.startsWith("HTTP/1.0 400 ") || said.startsWith("HTTP/1.1 400 "), said);
        }
    }
}
