package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that is evacuated first has work at two times, on different machines. */
final class EvacuatedHostTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        harness.put("/v1/fleet", """
                groups:
                  - {name: web, tenant: shop, kind: availability-set, update-domains: 2, fault-domains: 2}
                machines:
                  - {name: w0, tenant: shop, group: web, update-domain: 0, host: h1, addresses: [127.0.9.1]}
                  - {name: w1, tenant: shop, group: web, update-domain: 1, host: h1, addresses: [127.0.9.2]}
                  - {name: vault, tenant: bank, host: h1, addresses: [127.0.9.3]}
                """);
        Reply started = harness.post(
                "/v1/rollouts",
                "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"h1\"],\"evacuate\":true,\"notice\":\"1h\"}");
        assertEquals(200, started.status(), started.error());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private JsonNode next(String tenant) throws Exception {
        String secret = harness.post("/v1/tokens", "{\"name\":\"" + tenant + "-team\",\"tenant\":\"" + tenant + "\"}")
                .json()
                .path("secret")
                .asText();
        return harness.ask("GET", "/v1/hosts/h1", "", secret, Map.of()).json().path("nextWork");
    }

    private String work() throws Exception {
        return harness.get("/v1/rollouts/os/units")
                .json()
                .at("/units/0/startsAt")
                .asText();
    }

    @Test
    void whoeverStaysIsToldTheWorkOnTheHost() throws Exception {
        JsonNode next = next("bank");
        assertEquals("planned", next.path("status").asText(), next.toString());
        assertEquals("reboot", next.path("type").asText(), next.toString());
        assertEquals(work(), next.path("notBefore").asText());
        assertEquals(1, next.path("machines").asInt());
    }

    @Test
    void alsoWhileTheEvacuationIsShown() throws Exception {
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        JsonNode next = next("bank");
        assertEquals("planned", next.path("status").asText(), next.toString());
        assertEquals(work(), next.path("notBefore").asText());
    }

    @Test
    void whoeverIsMovedAwayIsToldThat() throws Exception {
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        JsonNode next = next("shop");
        assertEquals("redeploy", next.path("type").asText(), next.toString());
        assertEquals("scheduled", next.path("status").asText(), next.toString());
    }
}
