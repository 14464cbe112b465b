package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Refusal;
import io.forewarn.server.settings.ListenSettings;
import io.forewarn.wire.control.HostPort;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading certificates is seen from outside by {@code ServerStartsAndEndsIT}. */
final class TlsFilesTest {
    private static final HostPort BEYOND = new HostPort("10.0.0.5", 8170);

    private final TlsFiles none = new TlsFiles(new ListenSettings(BEYOND, BEYOND, "", "", 0, Set.of()));

    @Test
    void tokensThatCanBeReadOnTheWayAreAFinding() {
        assertTrue(none.finding(BEYOND, Instant.EPOCH).orElseThrow().found().contains("10.0.0.5:8170 without TLS"));
        assertTrue(none.finding(new HostPort("127.0.0.1", 1), Instant.EPOCH).isEmpty());
    }

    @Test
    void aPipeIsRefusedAndKeepsNobodyWaiting(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("cert.pem");
        assertEquals(
                0,
                new ProcessBuilder("mkfifo", pipe.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
        TlsFiles files =
                new TlsFiles(new ListenSettings(BEYOND, BEYOND, pipe.toString(), pipe.toString(), 0, Set.of()));
        Vertx vertx = Vertx.vertx();
        try {
            Refusal refusal = assertTimeoutPreemptively(
                    Duration.ofMinutes(1), () -> assertThrows(Refusal.class, () -> files.read(vertx)));
            assertTrue(refusal.getMessage().contains("tls-cert names " + pipe), refusal.getMessage());
            assertTrue(refusal.getMessage().contains("no file but a folder, pipe or device"), refusal.getMessage());
        } finally {
            vertx.close();
        }
    }
}
