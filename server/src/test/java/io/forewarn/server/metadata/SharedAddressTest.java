package io.forewarn.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.http.BindErrors;
import io.forewarn.wire.control.HostPort;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The event loops of one service share its address; nobody else gets it. */
class SharedAddressTest {
    @Test
    void everyConnectionIsAnsweredWhicheverLoopAcceptsIt() {
        try (MetadataHarness harness = new MetadataHarness()) {
            for (int i = 0; i < 50; i++) {
                try (RawConnection connection = harness.talk("127.0.0.1")) {
                    assertEquals(200, connection.poll("2020-07-01").status());
                }
            }
        }
    }

    @Test
    void aSecondServiceIsToldThatAnotherProgramListensThere() {
        try (MetadataHarness first = new MetadataHarness();
                MetadataHarness second = new MetadataHarness()) {
            Throwable refusal = assertThrows(
                    Throwable.class, () -> MetadataHarness.await(second.server.listen("0.0.0.0", first.port)));
            Throwable cause = refusal instanceof CompletionException wrapped ? wrapped.getCause() : refusal;
            assertEquals("another program listens there", BindErrors.why(new HostPort("0.0.0.0", first.port), cause));
        }
    }

    @Test
    void theAddressIsFreeAgainWhenTheServiceHasClosed() {
        int port;
        try (MetadataHarness first = new MetadataHarness()) {
            port = first.port;
        }
        try (MetadataHarness second = new MetadataHarness()) {
            assertEquals(port, MetadataHarness.await(second.server.listen("0.0.0.0", port)));
        }
    }

    @Test
    void closingEndsConnectionsThatWait() {
        try (MetadataHarness harness = new MetadataHarness();
                RawConnection idle = harness.talk("127.0.0.1")) {
            assertEquals(200, idle.poll("2020-07-01").status());
            MetadataHarness.await(harness.server.close());
            assertTrue(idle.closed());
        }
    }
}
