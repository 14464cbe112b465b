package io.forewarn.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fault in the middle of a request: the client is told, and not left waiting. */
class BrokenStepsTest {
    private MetadataHarness harness;
    private RawConnection connection;

    @BeforeEach
    void start() {
        harness = new MetadataHarness();
        connection = harness.talk("127.0.0.1");
    }

    @AfterEach
    void stop() {
        connection.close();
        harness.close();
    }

    @Test
    void theFirstRequestOfAGroupIsAnsweredThoughItFailsAfterEnabling() {
        harness.pause();
        connection.send(RawConnection.head("GET " + RawConnection.EVENTS + "2017-03-01", "Metadata: true") + "\r\n");
        MetadataHarness.eventually(() -> harness.engine.queued() == 1);
        harness.breakClock();
        harness.goOn();
        answeredAndClosed();
    }

    @Test
    void aHeldRequestIsAnsweredThoughItFailsWhenTheDocumentChanges() {
        connection.poll("2017-03-01");
        connection.send(RawConnection.head(
                        "GET " + RawConnection.EVENTS + "2017-03-01",
                        "Metadata: true",
                        "If-None-Match: " + MetadataHarness.etag(1),
                        "Prefer: wait=60")
                + "\r\n");
        MetadataHarness.eventually(() -> harness.server.held() == 1);
        harness.breakClock();
        harness.schedule(Cause.RESTART, "web-0");
        answeredAndClosed();
        assertEquals(0, harness.server.held());
    }

    @Test
    void anApprovalIsAnsweredThoughItFailsOnceItIsDurable() {
        connection.poll("2017-03-01");
        EventId event = harness.schedule(Cause.RESTART, "web-0");
        harness.pause();
        sendApproval(event);
        MetadataHarness.eventually(() -> harness.engine.queued() == 1);
        harness.breakClock();
        harness.goOn();
        answeredAndClosed();
    }

    @Test
    void anApprovalIsAnsweredThoughItFailsWhenItsBodyIsIn() {
        connection.poll("2017-03-01");
        EventId event = harness.schedule(Cause.RESTART, "web-0");
        harness.breakBell();
        sendApproval(event);
        answeredAndClosed();
    }

    private void sendApproval(EventId event) {
        String body = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
        String length = "Content-Length: " + body.length();
        connection.send(RawConnection.head("POST " + RawConnection.EVENTS + "2017-03-01", "Metadata: true", length)
                + "\r\n" + body);
    }

    private void answeredAndClosed() {
        assertEquals(503, connection.answer().status());
        assertTrue(connection.closed());
    }
}
