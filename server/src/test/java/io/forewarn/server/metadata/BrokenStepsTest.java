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
    private Station station;
    private Talk talk;

    @BeforeEach
    void start() {
        station = new Station();
        talk = station.talk("127.0.0.1");
    }

    @AfterEach
    void stop() {
        talk.close();
        station.close();
    }

    @Test
    void theFirstRequestOfAGroupIsAnsweredThoughItFailsAfterEnabling() {
        station.pause();
        talk.send(Talk.head("GET " + Talk.EVENTS + "2017-03-01", "Metadata: true") + "\r\n");
        Station.eventually(() -> station.engine.queued() == 1);
        station.breakClock();
        station.goOn();
        answeredAndClosed();
    }

    @Test
    void aHeldRequestIsAnsweredThoughItFailsWhenTheDocumentChanges() {
        talk.poll("2017-03-01");
        talk.send(
                Talk.head("GET " + Talk.EVENTS + "2017-03-01", "Metadata: true", "If-None-Match: 1", "Prefer: wait=60")
                        + "\r\n");
        Station.eventually(() -> station.server.held() == 1);
        station.breakClock();
        station.schedule(Cause.RESTART, "web-0");
        answeredAndClosed();
        assertEquals(0, station.server.held());
    }

    @Test
    void anApprovalIsAnsweredThoughItFailsOnceItIsDurable() {
        talk.poll("2017-03-01");
        EventId event = station.schedule(Cause.RESTART, "web-0");
        station.pause();
        sendApproval(event);
        Station.eventually(() -> station.engine.queued() == 1);
        station.breakClock();
        station.goOn();
        answeredAndClosed();
    }

    @Test
    void anApprovalIsAnsweredThoughItFailsWhenItsBodyIsIn() {
        talk.poll("2017-03-01");
        EventId event = station.schedule(Cause.RESTART, "web-0");
        station.breakBell();
        sendApproval(event);
        answeredAndClosed();
    }

    private void sendApproval(EventId event) {
        String body = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
        String length = "Content-Length: " + body.length();
        talk.send(Talk.head("POST " + Talk.EVENTS + "2017-03-01", "Metadata: true", length) + "\r\n" + body);
    }

    private void answeredAndClosed() {
        assertEquals(503, talk.answer().status());
        assertTrue(talk.closed());
    }
}
