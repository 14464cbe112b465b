package io.forewarn.server.metadata;

import static io.forewarn.server.metadata.RawConnection.EVENTS;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.wire.azure.ApiVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A plain poll is answered as if it were any other, whichever way it takes. */
class DirectConnectionTest {
    /** With it, a poll is not plain. */
    private static final String ANY = "X-Any: 1";

    private static final String TRUE = "Metadata: true";
    private static final String CLOSE = "Connection: close";

    private MetadataHarness harness;

    @BeforeEach
    void start() {
        harness = new MetadataHarness();
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            connection.poll("2017-03-01"); // Enables the group.
            harness.schedule(Cause.RESTART, "web-0");
        }
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private String bytes(String version, String... headers) {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            return connection
                    .send(RawConnection.head("GET " + EVENTS + version, headers) + "\r\n")
                    .rest();
        }
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void theAnswerIsTheSameByteForByte(ApiVersion version) {
        String two = MetadataHarness.etag(2);
        String document = bytes(version.text(), TRUE, CLOSE, ANY);
        assertTrue(document.startsWith("HTTP/1.1 200 OK\r\n"), document);
        assertEquals(document, bytes(version.text(), TRUE, CLOSE));
        for (String tag :
                new String[] {two, "W/" + two, two.replace("\"", ""), "\"1\", " + two, "*", "\"2\"", "", "none"}) {
            String match = "If-None-Match: " + tag;
            assertEquals(
                    bytes(version.text(), TRUE, CLOSE, match, ANY), bytes(version.text(), TRUE, CLOSE, match), tag);
        }
    }

    @Test
    void soItIsOnAConnectionThatIsKept() {
        try (RawConnection direct = harness.talk("127.0.0.1");
                RawConnection other = harness.talk("127.0.0.1")) {
            for (int i = 0; i < 3; i++) {
                assertEquals(other.poll("2020-07-01", ANY), direct.poll("2020-07-01"));
                assertEquals(
                        other.poll("2020-07-01", "If-None-Match: " + MetadataHarness.etag(2), ANY),
                        direct.poll("2020-07-01", "If-None-Match: " + MetadataHarness.etag(2)));
            }
            harness.schedule(Cause.RESTART, "web-1");
            assertEquals(other.poll("2020-07-01", ANY), direct.poll("2020-07-01"));
            assertEquals(MetadataHarness.etag(3), direct.poll("2020-07-01").header("etag"));
            assertEquals(other.poll("2020-07-01", CLOSE, ANY), direct.poll("2020-07-01", CLOSE));
            assertEquals("", direct.rest());
        }
    }

    @Test
    void anotherRequestOnItIsReadWholeHoweverItIsSplit() {
        String poll = RawConnection.head("GET " + EVENTS + "2020-07-01", TRUE) + "\r\n";
        for (int cut = 1; cut < poll.length(); cut++) {
            try (RawConnection connection = harness.talk("127.0.0.1")) {
                RawConnection.Answer whole = connection.poll("2020-07-01");
                connection.send(poll.substring(0, cut));
                connection.send(poll.substring(cut));
                assertEquals(whole, connection.answer(), "cut at " + cut);
                assertEquals(whole, connection.poll("2020-07-01"));
            }
        }
    }

    @Test
    void pollsThatComeTogetherAreAllAnswered() {
        String poll = RawConnection.head("GET " + EVENTS + "2020-07-01", TRUE) + "\r\n";
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            connection.send(poll.repeat(50));
            for (int i = 0; i < 50; i++) {
                assertEquals(200, connection.answer().status());
            }
        }
    }

    /** More may be behind a request that fills the buffer. */
    @Test
    void aRequestOfAnyLengthWithMoreBehindItIsAnswered() {
        String shortest = RawConnection.head("GET " + EVENTS + "2020-07-01", TRUE, CLOSE, "Accept: ") + "\r\n";
        for (int length : new int[] {4094, 4096, 4097}) {
            String accept = "Accept: " + "a".repeat(length - shortest.length());
            try (RawConnection connection = harness.talk("127.0.0.1")) {
                connection.send(
                        RawConnection.head("GET " + EVENTS + "2020-07-01", TRUE, CLOSE, accept) + "\r\n" + "\r\n");
                assertEquals(200, connection.answer().status(), length + " bytes");
            }
        }
    }

    @Test
    void aClientThatHasEndedItsOutputIsAnswered() {
        try (RawConnection connection = harness.talk("127.0.0.1")) {
            connection.send(RawConnection.head("GET " + EVENTS + "2020-07-01", TRUE) + "\r\n");
            connection.endOutput();
            assertEquals(200, connection.answer().status());
            assertEquals("", connection.rest());
        }
    }

    /** When the socket takes no more, a channel sends the rest. */
    @Test
    void aClientThatReadsLateGetsEveryAnswerWhole() throws IOException {
        int polls = 3000;
        byte[] poll = (RawConnection.head("GET " + EVENTS + "2020-07-01", TRUE) + "\r\n").getBytes(US_ASCII);
        String one = bytes("2020-07-01", TRUE, CLOSE).replace("connection: close\r\n", "");
        try (Socket late = new Socket()) {
            late.setReceiveBufferSize(2048);
            late.setTcpNoDelay(true);
            late.setSoTimeout(30_000);
            late.connect(new InetSocketAddress("127.0.0.1", harness.port));
            for (int i = 0; i < polls; i++) {
                late.getOutputStream().write(poll);
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200)); // So that most arrive alone.
            }
            assertEquals(
                    one.repeat(polls), new String(late.getInputStream().readNBytes(one.length() * polls), US_ASCII));
        }
    }
}
