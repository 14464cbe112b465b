package io.forewarn.server.metadata;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.wire.azure.ApiVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only what every reader of HTTP understands in the same way is a plain poll. */
class PlainPollTest {
    private static final String LINE = "GET /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\r\n";
    private static final String HEADERS = "Host: 169.254.169.254\r\nMetadata: true\r\n";

    private final PlainPoll poll = new PlainPoll(1000, "169.254.169.254"::equals);

    private boolean recognizes(String request) {
        byte[] bytes = request.getBytes(ISO_8859_1);
        byte[] scratch = new byte[4096];
        System.arraycopy(bytes, 0, scratch, 0, bytes.length);
        return poll.recognizes(scratch, bytes.length);
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void everyVersionIsRecognized(ApiVersion version) {
        assertTrue(recognizes(
                "GET /metadata/scheduledevents?api-version=" + version.text() + " HTTP/1.1\r\n" + HEADERS + "\r\n"));
        assertEquals(version, poll.version());
        assertFalse(poll.closes());
        assertNull(poll.ifNoneMatch());
    }

    @Test
    void whatItSaysIsReadAnewEachTime() {
        assertTrue(recognizes(LINE + HEADERS + "Connection: close\r\nIf-None-Match:  \"7\" \r\n\r\n"));
        assertTrue(poll.closes());
        assertEquals("\"7\"", poll.ifNoneMatch());
        assertTrue(recognizes(LINE + HEADERS + "\r\n"));
        assertFalse(poll.closes());
        assertNull(poll.ifNoneMatch());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "host:169.254.169.254\r\nMETADATA:True\r\n",
                "Metadata:   true  \r\nHost: 169.254.169.254\r\n",
                HEADERS + "User-Agent: any/1.0 (thing; other)\r\nAccept: */*\r\nAccept-Encoding:\r\n",
                HEADERS + "connection: Keep-Alive\r\n"
            })
    void namesIgnoreCaseAndBlanksAroundValuesDoNotCount(String headers) {
        assertTrue(recognizes(LINE + headers + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: 169.254.169.254\r\n",
                "Metadata: true\r\n",
                "Host: other\r\nMetadata: true\r\n",
                "Host:\r\nMetadata: true\r\n",
                "Host: 169.254.169.254\r\nMetadata: false\r\n",
                "Host: 169.254.169.254\r\nMetadata:\r\n",
                HEADERS + "Host: 169.254.169.254\r\n",
                HEADERS + "Metadata: true\r\n",
                HEADERS + "Connection: close\r\nConnection: close\r\n",
                HEADERS + "Connection: close, keep-alive\r\n",
                HEADERS + "Connection: upgrade\r\n",
                HEADERS + "If-None-Match: \"1\"\r\nIf-None-Match: \"2\"\r\n",
                HEADERS + "Content-Length: 0\r\n",
                HEADERS + "Transfer-Encoding: chunked\r\n",
                HEADERS + "Expect: 100-continue\r\n",
                HEADERS + "X-Forwarded-For: 10.0.0.1\r\n",
                HEADERS + "Prefer: wait=5\r\n",
                HEADERS + "X-Unknown: 1\r\n",
                HEADERS + "Accept : */*\r\n",
                HEADERS + " Accept: */*\r\n",
                HEADERS + "Accept: */*\r\n folded\r\n",
                HEADERS + "Accept: */*\n",
                HEADERS + "Accept: a\rb\r\n",
                HEADERS + "Accept: a\tb\r\n",
                HEADERS + "Accept: a\0b\r\n",
                HEADERS + "Accept: \u00e4\r\n",
                HEADERS + "Accept\r\n",
                HEADERS + ": x\r\n",
                HEADERS + "\r\n",
                HEADERS + "\r\nGET",
            })
    void anythingElseIsNotOurs(String headers) {
        assertFalse(recognizes(LINE + headers + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.0\r\n",
                "get /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\r\n",
                "GET  /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\r\n",
                "GET /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\n",
                "GET /metadata/scheduledevents/?api-version=2020-07-01 HTTP/1.1\r\n",
                "GET /metadata/scheduledevents?api-version=2020-07-02 HTTP/1.1\r\n",
                "GET /metadata/scheduledevents?api-version=2020-07-01&x=y HTTP/1.1\r\n",
                "POST /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\r\n",
                "\r\nGET /metadata/scheduledevents?api-version=2020-07-01 HTTP/1.1\r\n"
            })
    void norIsAnotherRequestLine(String line) {
        assertFalse(recognizes(line + HEADERS + "\r\n"));
    }

    @Test
    void norIsAPartOfOneOrAnythingBehindIt() {
        String whole = LINE + HEADERS + "Connection: close\r\n\r\n";
        for (int length = 0; length < whole.length(); length++) {
            assertFalse(recognizes(whole.substring(0, length)), "the first " + length);
            assertFalse(recognizes(whole.substring(length + 1)), "without the first " + length);
        }
        assertTrue(recognizes(whole));
        for (String more : new String[] {"\r\n", "x", "\0", whole}) {
            assertFalse(recognizes(whole + more));
        }
    }

    @Test
    void norIsALongOne() {
        String begin = LINE + HEADERS + "Accept: ";
        assertTrue(recognizes(begin + "x".repeat(996 - begin.length()) + "\r\n\r\n"));
        assertFalse(recognizes(begin + "x".repeat(997 - begin.length()) + "\r\n\r\n"));
    }
}
