package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.control.ControlHarness.Reply;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two tenants on one host: the work on it starts for both together, and neither learns who the other is. */
final class SharedHostTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;
    private String shop;
    private String bank;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        harness.put("/v1/fleet", """
                machines:
                  - {name: till, tenant: shop, host: h1, addresses: [127.0.9.1]}
                  - {name: vault, tenant: bank, host: h1, addresses: [127.0.9.2]}
                """);
        shop = token("shop");
        bank = token("bank");
        Reply started = harness.post("/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"h1\"]}");
        assertEquals(200, started.status(), started.error());
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private String token(String tenant) throws Exception {
        return harness.post("/v1/tokens", "{\"name\":\"" + tenant + "-team\",\"tenant\":\"" + tenant + "\"}")
                .json()
                .path("secret")
                .asText();
    }

    private String event(String secret) throws Exception {
        return harness.ask("GET", "/v1/events", "", secret, Map.of())
                .json()
                .at("/events/0/id")
                .asText();
    }

    /** All that an owner and its machine are told. */
    private String errorOf(String secret, String address) throws Exception {
        StringBuilder all = new StringBuilder();
        for (String path : new String[] {
            "/v1/events",
            "/v1/events/" + event(secret),
            "/v1/events/" + event(secret) + "/policy",
            "/v1/history",
            "/v1/machines",
            "/v1/groups",
            "/v1/stream?since=0.0&follow=false",
            "/v1/reports/notice"
        }) {
            all.append(harness.ask("GET", path, "", secret, Map.of()).response().body());
        }
        try (Socket socket = new Socket(
                InetAddress.getByName("127.0.0.1"),
                harness.service().metadata().port(),
                InetAddress.getByName(address),
                0)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /forewarn/v1/events HTTP/1.1\r\nHost: x\r\nMetadata: true\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            all.append(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        return all.toString();
    }

    private void neitherKnowsTheOther() throws Exception {
        String toShop = errorOf(shop, "127.0.9.1");
        assertTrue(toShop.contains("till"), toShop);
        assertFalse(toShop.contains("bank") || toShop.contains("vault"), toShop);
        String toBank = errorOf(bank, "127.0.9.2");
        assertTrue(toBank.contains("vault"), toBank);
        assertFalse(toBank.contains("shop") || toBank.contains("till"), toBank);
    }

    @Test
    void eachWaitsForTheOtherWithoutLearningItsName() throws Exception {
        neitherKnowsTheOther();
        String id = event(shop);
        harness.ask("POST", "/v1/events/" + id + "/approve", "", shop, Map.of());
        Reply held = harness.ask("GET", "/v1/events/" + id + "/policy", "", shop, Map.of());
        assertTrue(
                held.json().path("blockers").toString().contains("another tenant on the same host has not approved"),
                () -> held.json().toString());
        neitherKnowsTheOther();
        harness.ask("POST", "/v1/events/" + event(bank) + "/approve", "", bank, Map.of());
        assertEquals(
                "started", harness.get("/v1/events/" + id).json().path("status").asText());
        neitherKnowsTheOther();
    }

    @Test
    void anOwnerDoesNotCallOffTheWorkOfARollout() throws Exception {
        Reply refused = harness.ask("POST", "/v1/events/" + event(shop) + "/cancel", "", shop, Map.of());
        assertEquals(403, refused.status());
        assertTrue(refused.error().endsWith("can be postponed, needs an operator"), refused.error());
        assertEquals(
                200, harness.post("/v1/events/" + event(shop) + "/cancel", "").status());
    }

    @Test
    void aPostponementMovesTheOtherTenantsEventWithoutNamingWho() throws Exception {
        harness.post("/v1/policies", "{\"tenant\":\"shop\",\"ownerPostponements\":\"3x2h\"}");
        Reply postponed =
                harness.ask("POST", "/v1/events/" + event(shop) + "/postpone", "{\"by\":\"1h\"}", shop, Map.of());
        assertEquals(200, postponed.status(), postponed.error());
        neitherKnowsTheOther();
        harness.post("/v1/clock/advance", "{\"by\":\"2h\"}");
    }
}
