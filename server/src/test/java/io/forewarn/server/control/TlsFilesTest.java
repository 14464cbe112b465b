package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.server.boot.Service;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.ListenSettings;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.wire.control.FindingsBody.Finding;
import io.forewarn.wire.control.HostPort;
import io.vertx.core.Vertx;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading certificates is seen from outside by {@code ServerStartsAndEndsIT}. */
final class TlsFilesTest {
    private static final HostPort BEYOND = new HostPort("10.0.0.5", 8170);

    private final TlsFiles none = new TlsFiles(new ListenSettings(BEYOND, BEYOND, "", "", 0, Set.of()));

    @Test
    void tokensThatCanBeReadOnTheWayAreAFinding() {
        assertTrue(none.finding(BEYOND, Instant.EPOCH).orElseThrow().problem().contains("10.0.0.5:8170 without TLS"));
        assertTrue(none.finding(new HostPort("127.0.0.1", 1), Instant.EPOCH).isEmpty());
    }

    private static void write(Path folder, String name, String start, Path cert, Path key) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=dns:" + name + ".example.org,ip:127.0.0.1",
                        "-startdate",
                        start,
                        "-validity",
                        "30")
                .redirectErrorStream(true)
                .start();
        String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, made.waitFor(), said);
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        if (cert != null) {
            Files.writeString(
                    cert, pem("CERTIFICATE", keys.getCertificate("own").getEncoded()));
        }
        if (key != null) {
            byte[] secret = keys.getKey("own", "changeit".toCharArray()).getEncoded();
            Files.writeString(key, pem("PRIVATE KEY", secret));
        }
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    @Test
    void aPairThatIsHalfRenewedIsAFindingUntilItIsWhole(@TempDir Path folder) throws Exception {
        Path cert = folder.resolve("cert.pem");
        Path key = folder.resolve("key.pem");
        write(folder, "first", "-1d", cert, key);
        TlsFiles files = new TlsFiles(new ListenSettings(BEYOND, BEYOND, cert.toString(), key.toString(), 0, Set.of()));
        Vertx vertx = Vertx.vertx();
        try {
            files.read(vertx);
            Instant now = Instant.now();
            assertTrue(files.finding(BEYOND, now).isEmpty());
            write(folder, "second", "-1d", cert, null);
            assertThrows(RefusedException.class, () -> files.read(vertx));
            Finding finding = files.finding(BEYOND, now).orElseThrow();
            assertTrue(finding.problem().contains("the key belongs to another certificate"), finding.problem());
            write(folder, "third", "-1d", cert, key);
            files.read(vertx);
            assertTrue(files.finding(BEYOND, now).isEmpty());
            assertFalse(files.ended(now));

            write(folder, "fourth", "-60d", cert, key);
            files.read(vertx);
            assertTrue(files.ended(now));
            String line = LogFormat.LOGFMT.print(files.line(now));
            assertTrue(line.contains("error") && line.contains("tls-expired"), line);
        } finally {
            vertx.close();
        }
    }

    @Test
    void aPipeIsRefusedWithoutBlocking(@TempDir Path folder) throws Exception {
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
            RefusedException refusal = assertTimeoutPreemptively(
                    Duration.ofMinutes(1), () -> assertThrows(RefusedException.class, () -> files.read(vertx)));
            assertTrue(refusal.getMessage().contains("tls-cert names " + pipe), refusal.getMessage());
            assertTrue(
                    refusal.getMessage().contains("not a file but a directory, pipe or device"), refusal.getMessage());
        } finally {
            vertx.close();
        }
    }

    private static ControlHarness harness(Path folder, Map<String, String> more) throws Exception {
        Path cert = folder.resolve("cert.pem");
        Path key = folder.resolve("key.pem");
        write(folder, "forewarn", "-1d", cert, key);
        Map<String, String> settings = new HashMap<>(more);
        settings.put("listen.tls-cert", cert.toString());
        settings.put("listen.tls-key", key.toString());
        return new ControlHarness(folder, settings);
    }

    private static int status(Path folder, ControlHarness harness, String host) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(folder.resolve("cert.pem"))) {
            trusted.setCertificateEntry(
                    "own", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        context.init(null, trust.getTrustManagers(), null);
        try (Socket socket = context.getSocketFactory()
                .createSocket("127.0.0.1", harness.service().control().port())) {
            socket.setSoTimeout(30_000);
            String request = "GET /v1/status HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + harness.token()
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return Integer.parseInt(said.split(" ")[1]);
        }
    }

    @Test
    void theNamesOfTheCertificateAreAcceptedAsHost(@TempDir Path folder) throws Exception {
        try (ControlHarness harness = harness(folder, Map.of())) {
            assertEquals(200, status(folder, harness, "forewarn.example.org"));
            assertEquals(200, status(folder, harness, "127.0.0.1"));
            assertEquals(400, status(folder, harness, "evil.example.org"));
        }
    }

    /** Whoever connects and never begins a handshake is a stranger like any other: the oldest makes room for the newest. */
    @Test
    void connectionsAreCountedBeforeTheirHandshake(@TempDir Path folder) throws Exception {
        Path cert = folder.resolve("cert.pem");
        Path key = folder.resolve("key.pem");
        write(folder, "forewarn", "-1d", cert, key);
        Map<String, String> settings = Map.of(
                "listen.metadata",
                "127.0.0.1:0",
                "listen.control",
                "127.0.0.1:0",
                "listen.control-connections",
                "2",
                "listen.tls-cert",
                cert.toString(),
                "listen.tls-key",
                key.toString(),
                "store.location",
                "sqlite:" + folder.resolve("data"));
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        try (Service service = Service.start(
                        LoadedSettings.load(null, Map.of(), settings).settings(),
                        Log.to(lines::add, LogFormat.LOGFMT),
                        died -> {});
                Socket first = new Socket("127.0.0.1", service.control().port());
                Socket second = new Socket("127.0.0.1", service.control().port());
                Socket third = new Socket("127.0.0.1", service.control().port())) {
            for (Socket each : new Socket[] {first, second, third}) {
                each.setSoTimeout(60_000);
                assertEquals(-1, each.getInputStream().read(), "none of them makes a handshake");
            }
            assertTrue(
                    lines.stream().anyMatch(line -> line.contains("what=connections-full listener=control")),
                    lines::toString);
        }
    }
}
