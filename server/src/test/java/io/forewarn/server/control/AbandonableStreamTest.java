package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.FleetReader;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AbandonableStreamTest {
    /** Whoever waits leaves in the middle of a file without end. */
    @Test
    void aFileIsReadAsLongAsItsSenderIsConnected() {
        AtomicInteger looks = new AtomicInteger();
        AtomicInteger read = new AtomicInteger();
        byte[] line = "{\"machine\":{\"name\":\"a\"}}\n".getBytes(StandardCharsets.UTF_8);
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return line[read.getAndIncrement() % line.length];
            }
        };
        InputStream file = new AbandonableStream(endless, () -> looks.incrementAndGet() > 3);
        RefusedException refusal = assertThrows(RefusedException.class, () -> FleetReader.read(file, "default"));
        assertTrue(refusal.getMessage().contains("has disconnected"), refusal.getMessage());
        assertEquals(4, looks.get());
    }
}
