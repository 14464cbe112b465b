package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.wire.control.HostPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StreamApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    /** A reader of the stream. */
    private final class Reading implements AutoCloseable {
        private final HttpResponse<InputStream> response;
        private final BufferedReader lines;
        private String id;

        Reading(String query, String token, String lastId) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create("http://" + harness.service().control() + "/v1/stream" + query))
                    .header("Authorization", "Bearer " + token);
            if (lastId != null) {
                request.header("Last-Event-ID", lastId);
            }
            response = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            assertEquals(200, response.statusCode());
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        /** The next event's data; null at the end. */
        String next() throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    return line.substring(6);
                }
            }
            return null;
        }

        /** Whether nothing more comes: in order, or cut off. */
        boolean ends() {
            try {
                return next() == null;
            } catch (IOException cut) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }

    private static String type(String data) {
        return data.replaceAll(".*\"type\":\"io.forewarn.([a-z.-]+)\".*", "$1");
    }

    @Test
    void theStreamSendsNewEntriesAndResumesAfterTheLastId() throws Exception {
        String last;
        try (Reading reading = new Reading("", harness.token(), null)) {
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            String received = reading.next();
            assertEquals("event.scheduled", type(received));
            assertTrue(received.contains("\"id\":\"" + reading.id + "-"), received);
            last = reading.id;
        }
        harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
        try (Reading reading = new Reading("", harness.token(), last)) {
            assertEquals("event.started", type(reading.next()));
            assertEquals("event.completed", type(reading.next()));
            harness.post("/v1/machines/FrontEnd_IN_1/freeze", "");
            assertEquals("event.scheduled", type(reading.next()));
        }
    }

    @Test
    void withoutFollowTheStreamEndsAfterThePastEntries() throws Exception {
        for (int i = 0; i < 300; i++) {
            String id = harness.post("/v1/machines/FrontEnd_IN_0/restart", "")
                    .json()
                    .at("/events/0/id")
                    .asText();
            harness.post("/v1/events/" + id + "/cancel", "");
        }
        try (Reading reading = new Reading("?since=0.0&follow=false", harness.token(), null)) {
            List<String> received = new ArrayList<>();
            for (String data = reading.next(); data != null; data = reading.next()) {
                received.add(type(data));
            }
            assertEquals(600, received.size());
            assertEquals(List.of("event.scheduled", "event.cancelled"), received.subList(598, 600));
        }
        try (Reading reading = new Reading("?since=0.0&follow=false&kinds=cancelled", harness.token(), null)) {
            assertEquals("event.cancelled", type(reading.next()));
            assertEquals("event.cancelled", type(reading.next()));
        }
    }

    @Test
    void anOwnerReceivesOnlyItsOwnTenantsEntries() throws Exception {
        harness.put("/v1/groups/pay?tenant=shop", "{\"kind\":\"single\"}");
        harness.put("/v1/machines/pay-1?tenant=shop", "{\"group\":\"pay\"}");
        String owner = token("owner", "shop");
        harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
        harness.post("/v1/machines/pay-1/restart?tenant=shop", "");
        try (Reading reading = new Reading("?since=0.0&follow=false&kinds=all", owner, null)) {
            String only = reading.next();
            assertTrue(only.contains("pay-1"), only);
            assertEquals(null, reading.next());
        }
        assertEquals(
                404,
                harness.ask("GET", "/v1/stream?group=default/web", "", owner, Map.of())
                        .status());
        assertEquals(
                404,
                harness.ask("GET", "/v1/stream?tenant=default", "", owner, Map.of())
                        .status());
    }

    private String token(String name, String tenant) throws Exception {
        return harness.post("/v1/tokens", "{\"name\":\"" + name + "\",\"tenant\":\"" + tenant + "\"}")
                .json()
                .path("secret")
                .asText();
    }

    @Test
    void theStreamEndsWhenTheTokenIsRevoked() throws Exception {
        String owner = token("owner", "default");
        try (Reading reading = new Reading("", owner, null)) {
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            assertEquals("event.scheduled", type(reading.next()));
            harness.delete("/v1/tokens/owner");
            assertTrue(reading.ends());
        }
    }

    @Test
    void itEndsWhenTheTokenExpires() throws Exception {
        String brief = harness.post("/v1/tokens", "{\"name\":\"brief\",\"expiresIn\":\"1h\"}")
                .json()
                .path("secret")
                .asText();
        try (Reading reading = new Reading("?kinds=cancelled", brief, null)) {
            harness.post("/v1/clock/advance", "{\"by\":\"1h\"}");
            assertTrue(reading.ends());
        }
    }

    @Test
    void invalidInputIsRefusedWithAPlainMessage() throws Exception {
        Reply reply = harness.get("/v1/stream?since=yesterday");
        assertEquals(400, reply.status());
        assertTrue(reply.error().contains("42.0"), reply.error());
        Reply ahead = harness.get("/v1/stream?since=999999.0");
        assertTrue(ahead.error().contains("belongs to another service or store"), ahead.error());
        assertTrue(harness.get("/v1/stream?kinds=strted").error().contains("did you mean 'started'?"));
        assertEquals(404, harness.get("/v1/stream?group=wep").status());
    }

    @Test
    void oneCallerGetsAShareOfTheStreamsAndNoMore() throws Exception {
        String eyes = harness.post("/v1/tokens", "{\"name\":\"eyes\",\"role\":\"viewer\"}")
                .json()
                .path("secret")
                .asText();
        List<Socket> streams = new ArrayList<>();
        try {
            for (int i = 0; i < EventStreams.EACH; i++) {
                assertEquals("HTTP/1.1 200 OK", begun(streams, eyes));
            }
            assertEquals("HTTP/1.1 503 Service Unavailable", begun(streams, eyes));
            assertEquals("HTTP/1.1 200 OK", begun(streams, harness.token()));
        } finally {
            for (Socket stream : streams) {
                stream.close();
            }
        }
    }

    /** What one more is answered. */
    private String begun(List<Socket> streams, String token) throws IOException {
        HostPort control = harness.service().control();
        Socket socket = new Socket(control.host(), control.port());
        streams.add(socket);
        socket.getOutputStream()
                .write(("GET /v1/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }

    @Test
    void aReaderThatDoesNotReadDelaysNoOne() throws Exception {
        String description = "x".repeat(200);
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(4096);
            deaf.connect(new InetSocketAddress(
                    harness.service().control().host(),
                    harness.service().control().port()));
            deaf.getOutputStream()
                    .write(("GET /v1/stream?kinds=all HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + harness.token()
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            try (Reading reading = new Reading("?kinds=cancelled", harness.token(), null)) {
                for (int i = 0; i < 500; i++) {
                    Reply made = harness.post(
                            "/v1/machines/FrontEnd_IN_0/restart", "{\"description\":\"" + description + "\"}");
                    assertEquals(200, made.status(), made.error());
                    String id = made.json().at("/events/0/id").asText();
                    assertEquals(
                            200,
                            harness.post("/v1/events/" + id + "/cancel", "").status());
                    assertEquals("event.cancelled", type(reading.next()));
                }
            }
            assertFalse(deaf.isClosed());
        }
    }
}
