package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One search over the names of machines, groups, hosts, events and rollouts. */
final class SearchApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        harness.put("/v1/fleet", """
                groups:
                  - {name: tills, tenant: shop, kind: availability-set, update-domains: 5, fault-domains: 2}
                machines:
                  - {name: till-1, tenant: shop, group: tills, host: rack-till}
                  - {name: till-2, tenant: shop, group: tills, host: rack-7}
                  - {name: old-till, tenant: shop, group: tills, host: rack-7}
                """);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static List<String> names(JsonNode found) {
        List<String> names = new ArrayList<>();
        found.path("results")
                .forEach(r -> names.add(r.path("kind").asText() + " "
                        + (r.has("tenant") ? r.path("tenant").asText() + "/" : "")
                        + r.path("name").asText()));
        return names;
    }

    private List<String> found(String query, String token) throws Exception {
        Reply said = harness.ask("GET", "/v1/search?" + query, "", token, Map.of());
        assertEquals(200, said.status(), said.error());
        return names(said.json());
    }

    private List<String> found(String query) throws Exception {
        return found(query, harness.token());
    }

    @Test
    void namesThatBeginWithTheTextComeFirstInUpperOrLowerCase() throws Exception {
        harness.post("/v1/rollouts", "{\"name\":\"till-fix\",\"type\":\"reboot\",\"groups\":[\"shop/tills\"]}");
        assertEquals(
                List.of(
                        "machine shop/till-1",
                        "machine shop/till-2",
                        "machine shop/old-till",
                        "group shop/tills",
                        "host rack-till"),
                found("text=TILL").stream()
                        .filter(r -> !r.startsWith("event") && !r.startsWith("rollout"))
                        .toList());
        assertTrue(found("text=till").contains("rollout till-fix"));
        assertEquals(
                List.of("machine shop/till-1", "machine shop/till-2"),
                found("text=till-&tenant=shop&limit=2").subList(0, 2));
    }

    @Test
    void anEventIsFoundByItsIdItsDescriptionAndItsMachines() throws Exception {
        JsonNode event = harness.post("/v1/machines/shop%2Ftill-1/restart", "{\"description\":\"kernel of November\"}")
                .json()
                .at("/events/0");
        String id = event.path("id").asText();
        for (String text : List.of(id, id.substring(4, 20), "of%20novem", "till-1")) {
            assertTrue(found("text=" + text).contains("event shop/" + id), text);
        }
        assertEquals(List.of(), found("text=nothing-has-this-name"));
    }

    @Test
    void ofEachKindThereAreAFew() throws Exception {
        assertEquals(3, found("text=a&limit=1").size(), "a machine, a group and a host");
        assertEquals(400, harness.get("/v1/search").status());
        assertEquals(400, harness.get("/v1/search?text=%20").status());
    }

    @Test
    void anOwnerFindsItsOwn() throws Exception {
        String secret = harness.post("/v1/tokens", "{\"name\":\"team\",\"tenant\":\"shop\"}")
                .json()
                .path("secret")
                .asText();
        harness.post("/v1/rollouts", "{\"name\":\"web-fix\",\"type\":\"reboot\",\"groups\":[\"web\"]}");
        harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
        for (String text : List.of("FrontEnd", "web", "host-", "web-fix")) {
            assertEquals(List.of(), found("text=" + text, secret), text);
            assertTrue(!found("text=" + text).isEmpty(), text);
        }
        assertEquals(List.of("host rack-7"), found("text=rack-7", secret));
    }
}
