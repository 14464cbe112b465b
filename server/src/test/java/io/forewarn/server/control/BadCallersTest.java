package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BadCallersTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws IOException {
        harness = new ControlHarness(folder, Map.of());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void oversizedOrInvalidHttpIsRefused() throws Exception {
        assertTrue(say("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(20_000) + "\r\n\r\n")
                .contains(" 431 "));
        assertTrue(say("GET /" + "a".repeat(10_000) + " HTTP/1.1\r\nHost: a\r\n\r\n")
                .contains(" 414 "));
        assertTrue(say("\0\1\2garbage\r\n\r\n").contains(" 400 "));
    }

    /** Who stands in front may have believed the other length. */
    @Test
    void aRequestWithTwoLengthsIsRefusedAndNothingBehindItIsRead() throws Exception {
        String both = "POST /v1/clock/advance HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
        try (Socket socket = new Socket("127.0.0.1", harness.service().control().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(both.getBytes(StandardCharsets.US_ASCII));
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(reply.startsWith("HTTP/1.1 400 "), reply);
            assertEquals(1, reply.split("HTTP/1.1 ", -1).length - 1, reply);
        }
    }

    @Test
    void brokenChunksAreRefusedAndNothingAfterThemIsRead() throws Exception {
        for (String path : List.of("POST /v1/rollouts/plan", "PUT /v1/fleet")) {
            String head = path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + harness.token()
                    + "\r\nTransfer-Encoding: chunked\r\n\r\n";
            for (String chunk :
                    List.of("zz\r\n", "100000000\r\n\r\n", "000000000\r\n\r\n", "1\r\nab\r\n", "0\r\n:\r\n")) {
                String reply = all(head + chunk + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
                assertTrue(reply.startsWith("HTTP/1.1 400 "), path + chunk + reply);
                assertTrue(reply.contains("chunks of the body are malformed"), reply);
                assertEquals(1, reply.split("HTTP/1.1 ", -1).length - 1, reply);
            }
        }
    }

    /** All that comes until the server closes the connection. */
    private String all(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", harness.service().control().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void requestsThatTwoReadersCouldUnderstandInTwoWaysAreRefused() throws Exception {
        String line = "GET /v1/status HTTP/1.1\r\nAuthorization: Bearer " + harness.token() + "\r\n";
        assertTrue(say(line + "Host: a\r\n\r\n").startsWith("HTTP/1.1 200 "));
        assertTrue(say(line + "\r\n").startsWith("HTTP/1.1 400 "));
        assertTrue(say(line + "Host: a\r\nHost: a\r\n\r\n").startsWith("HTTP/1.1 400 "));
        assertTrue(say(line + "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")
                .startsWith("HTTP/1.1 501 "));
        assertTrue(say(line + "Host: a\r\nTransfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\n")
                .startsWith("HTTP/1.1 400 "));
        assertTrue(say(line.replace("HTTP/1.1", "HTTP/7.7") + "Host: a\r\n\r\n").startsWith("HTTP/1.0 400 "));
    }

    /** Else a page of that name, in a browser of somebody here, would be answered as if it came from here. */
    @Test
    void aNameThatIsNotOursIsRefused() throws Exception {
        harness.close();
        harness = new ControlHarness(
                folder,
                Map.of(
                        "listen.control-host-names",
                        "forewarn.example.org",
                        "cluster.advertise",
                        "node-1.example.org:8170"));
        String line = "GET %s HTTP/1.1\r\nAuthorization: Bearer " + harness.token() + "\r\nHost: %s\r\n\r\n";
        for (String ours : List.of(
                "127.0.0.1", "[::1]:99", "localhost", "forewarn", "Forewarn.example.org:443", "node-1.example.org")) {
            assertTrue(say(line.formatted("/v1/status", ours)).startsWith("HTTP/1.1 200 "), ours);
        }
        assertTrue(say(line.formatted("/v1/status", "evil.")).startsWith("HTTP/1.1 400 "));
        assertTrue(say(line.formatted("/v1/status", "evil.example")).startsWith("HTTP/1.1 400 "));
        assertTrue(say(line.formatted("http://evil.example/v1/status", "a")).startsWith("HTTP/1.1 400 "));
        assertTrue(say(line.formatted("/healthz", "whoever.balances.load")).startsWith("HTTP/1.1 200 "));
    }

    /** Else a stranger could have as much as he likes kept in memory. */
    @Test
    void unsignedForwardedBodiesAreNotRead() throws Exception {
        String reply = say("POST /internal/reports HTTP/1.1\r\nHost: a\r\nContent-Length: 250000000\r\n\r\n");
        assertTrue(reply.startsWith("HTTP/1.1 403 "), reply);
        assertTrue(reply.toLowerCase(Locale.ROOT).contains("connection: close"), reply);
    }

    @Test
    void protocolUpgradesNeedAToken() throws Exception {
        String reply = say("GET /v1/status HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
        assertTrue(reply.startsWith("HTTP/1.1 401 "), reply);
    }

    @Test
    void randomBytesNeitherBreakNorOpenIt() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            byte[] bytes = new byte[8 + random.nextInt(200)];
            random.nextBytes(bytes);
            String reply =
                    say("PUT /v1/machines/" + i + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + harness.token()
                            + "\r\nContent-Length: " + bytes.length + "\r\n\r\n"
                            + new String(bytes, StandardCharsets.ISO_8859_1));
            assertTrue(reply.startsWith("HTTP/1.1 400 "), reply);
        }
        assertEquals(9, harness.get("/v1/status").json().path("machines").asInt());
    }

    @Test
    void oneAddressHoldsNoMoreConnectionsThanItMay() throws Exception {
        harness.close();
        harness = new ControlHarness(folder, Map.of("listen.control-connections", "2"));
        int port = harness.service().control().port();
        try (Socket first =
                        new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName("127.0.0.9"), 0);
                Socket second =
                        new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName("127.0.0.9"), 0)) {
            assertTrue(healthy(first));
            assertTrue(healthy(second));
            try (Socket third =
                    new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName("127.0.0.9"), 0)) {
                assertTrue(healthy(third), "a stranger's oldest connection makes room for its newest");
                assertFalse(healthy(first));
                assertTrue(healthy(second));
            }
            assertEquals(200, harness.get("/v1/status").status(), "others are not touched");
        }
        eventually(() -> "connections that ended still count", () -> {
            try (Socket again =
                    new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName("127.0.0.9"), 0)) {
                return healthy(again);
            }
        });
    }

    private static boolean healthy(Socket socket) {
        try {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = new byte[512];
            int n = socket.getInputStream().read(answer);
            return n > 0 && new String(answer, 0, n, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200");
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void aBrokenUploadLeavesNothingBehind() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        long before = parts(temporary);
        String head = "PUT /v1/fleet HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + harness.token() + "\r\n";
        for (int i = 0; i < 20; i++) {
            try (Socket socket =
                    new Socket("127.0.0.1", harness.service().control().port())) {
                String body = i % 2 == 0
                        ? "Content-Length: 500\r\n\r\nmachines:"
                        : "Transfer-Encoding: chunked\r\n\r\nzz\r\n";
                socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
            }
        }
        assertEquals(200, harness.get("/v1/status").status());
        eventually(() -> "files stay behind in " + temporary, () -> parts(temporary) <= before);
    }

    private static long parts(Path temporary) throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(f -> f.getFileName().toString().startsWith("forewarn-fleet"))
                    .count();
        }
    }

    private String say(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", harness.service().control().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            byte[] answer = new byte[512];
            int n = in.read(answer);
            return n < 0 ? "" : new String(answer, 0, n, StandardCharsets.ISO_8859_1);
        }
    }
}
