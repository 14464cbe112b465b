package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.control.ControlHarness.Reply;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked with a token that is no longer what it was when the asking began. */
final class RevokedTokenTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        harness.put("/v1/fleet", """
                machines:
                  - {name: a1, tenant: shop}
                  - {name: a1, tenant: bank}
                """);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private String token(String name, String role, String tenant) throws Exception {
        Reply made = harness.post(
                "/v1/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\",\"tenant\":\"" + tenant + "\"}");
        assertEquals(200, made.status(), made.error());
        return made.json().path("secret").asText();
    }

    private String sendLate(String method, String path, String secret, String body) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", harness.service().control().port())) {
            OutputStream out = socket.getOutputStream();
            String head = method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                    + secret + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body.substring(0, 3);
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            // Answered after the head was read: both come in on connections of their own, one after the other.
            assertEquals(
                    200, harness.ask("GET", "/v1/groups", "", secret, Map.of()).status());
            assertEquals(200, harness.delete("/v1/tokens/slow").status());
            out.write(body.substring(3).getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aTokenRevokedBeforeTheBodyArrivedChangesNothing() throws Exception {
        String slow = token("slow", "operator", "*");
        String answer = sendLate("POST", "/v1/tokens", slow, "{\"name\":\"heir\",\"role\":\"operator\"}");
        assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
        assertEquals(0, harness.get("/v1/tokens").json().path("tokens").size());
    }

    @Test
    void norDoesAFleetThatCameLate() throws Exception {
        String slow = token("slow", "operator", "*");
        String answer = sendLate("PUT", "/v1/fleet", slow, "machines: [{name: late}]");
        assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
        assertEquals(404, harness.get("/v1/machines/late").status());
    }

    @Test
    void anotherTokenOfTheSameNameGetsNothingOfWhatTheFirstDidUnderItsKey() throws Exception {
        Map<String, String> key = Map.of("Idempotency-Key", "k1");
        String body = "{\"description\":\"BANK\"}";
        String bank = token("ci", "owner", "bank");
        assertEquals(
                200,
                harness.ask("POST", "/v1/machines/a1/restart", body, bank, key).status());
        harness.delete("/v1/tokens/ci");
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        String shop = token("ci", "owner", "shop");
        Reply answer = harness.ask("POST", "/v1/machines/a1/restart", body, shop, key);
        assertEquals(200, answer.status(), answer.error());
        assertEquals("shop", answer.json().at("/events/0/tenant").asText());
    }
}
