package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.settings.ListenSettings;
import io.forewarn.wire.control.HostPort;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Reading certificates is seen from outside by {@code ServerStartsAndEndsIT}. */
final class TlsFilesTest {
    private static final HostPort BEYOND = new HostPort("10.0.0.5", 8170);

    private final TlsFiles none = new TlsFiles(new ListenSettings(BEYOND, BEYOND, "", "", 0));

    @Test
    void tokensThatCanBeReadOnTheWayAreAFinding() {
        assertTrue(none.finding(BEYOND, Instant.EPOCH).orElseThrow().found().contains("10.0.0.5:8170 without TLS"));
        assertTrue(none.finding(new HostPort("127.0.0.1", 1), Instant.EPOCH).isEmpty());
    }
}
