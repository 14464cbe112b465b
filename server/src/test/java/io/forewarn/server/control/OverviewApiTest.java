package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fleet in few bytes, lists that say why events wait, and what a machine would read. */
final class OverviewApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        String machines = IntStream.range(0, 25)
                .mapToObj(i -> "  - {name: m%02d, group: %s, host: host-%d}".formatted(i, i < 20 ? "big" : "small", i))
                .collect(Collectors.joining("\n"));
        harness.put("/v1/fleet", """
                groups:
                  - {name: big, tenant: shop, kind: availability-set, update-domains: 5, fault-domains: 2}
                  - {name: small, tenant: shop, kind: availability-set, update-domains: 5, fault-domains: 2}
                machines:
                """ + machines.replace("{name", "{tenant: shop, name"));
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private JsonNode cells(String query) throws Exception {
        ControlHarness.Reply said = harness.get("/v1/fleet/cells?tenant=shop" + query);
        assertEquals(200, said.status(), said.error());
        return said.json();
    }

    private String state(String machine) throws Exception {
        for (JsonNode group : cells("").path("groups")) {
            for (int i = 0; i < group.path("names").size(); i++) {
                if (group.path("names").get(i).asText().equals(machine)) {
                    return group.path("states").asText().substring(i, i + 1);
                }
            }
        }
        throw new AssertionError("there is no " + machine);
    }

    @Test
    void pagesContainEachMachineOnce() throws Exception {
        List<String> names = new ArrayList<>();
        String next = "";
        int pages = 0;
        do {
            JsonNode page = cells("&limit=7" + next);
            for (JsonNode group : page.path("groups")) {
                int size = group.path("names").size();
                assertEquals(size, group.path("states").asText().length());
                assertEquals(size, group.path("updateDomainNumbers").size());
                assertEquals(size, group.path("faultDomainNumbers").size());
                assertEquals(size, group.path("hosts").size());
                group.path("names").forEach(name -> names.add(name.asText()));
            }
            next = page.has("next") ? "&after=" + page.path("next").asText().replace("#", "%23") : null;
            pages++;
        } while (next != null);
        assertEquals(4, pages);
        assertEquals(
                IntStream.range(0, 25).mapToObj("m%02d"::formatted).toList(),
                names.stream().sorted().toList());
        assertEquals(400, harness.get("/v1/fleet/cells?after=x").status());
    }

    @Test
    void cellsAreSelectedByTagPageByPage() throws Exception {
        for (String name : List.of("m03", "m07", "m21")) {
            harness.put("/v1/machines/shop%2F" + name + "?only=existing", "{\"tags\":{\"env\":\"prod\"}}");
        }
        List<String> names = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = cells("&tag=env%3Dprod&limit=2" + next);
            page.path("groups").forEach(g -> g.path("names").forEach(name -> names.add(name.asText())));
            next = page.has("next") ? "&after=" + page.path("next").asText().replace("#", "%23") : null;
        } while (next != null);
        assertEquals(List.of("m03", "m07", "m21"), names);
        assertEquals(400, harness.get("/v1/fleet/cells?tag=prod").status());
    }

    @Test
    void aCellSaysWhatHappensToItsMachine() throws Exception {
        assertEquals("n", state("m00"));
        JsonNode made = harness.post("/v1/machines/shop%2Fm00/restart", "").json();
        assertEquals("s", state("m00"));
        harness.post("/v1/events/" + made.at("/events/0/id").asText() + "/approve", "");
        assertEquals("r", state("m00"));
        harness.post("/v1/clock/advance", "{\"by\":\"2m\"}");
        assertEquals("n", state("m00"));
    }

    @Test
    void aListOfEventsSaysWhyEachWaitsIfItIsAsked() throws Exception {
        harness.post("/v1/machines/shop%2Fm00/restart", "");
        assertTrue(harness.get("/v1/events").json().at("/events/0/blockers").isMissingNode());
        JsonNode held = harness.get("/v1/events?blockers=true").json().at("/events/0/blockers/0");
        assertTrue(held.path("reason").asText().contains("notice"), held.toString());
        assertTrue(held.has("until"), held.toString());
    }

    @Test
    void settingsAreListedWithoutTheirSecrets() throws Exception {
        harness.close();
        harness = new ControlHarness(folder, Map.of("identity.secret", "a-secret-of-32-characters-at-least"));
        String all = harness.get("/v1/settings").response().body();
        assertTrue(all.contains("{\"key\":\"clock.kind\",\"value\":\"manual\""), all);
        assertTrue(all.contains("{\"key\":\"identity.secret\",\"value\":\"***\""), all);
        assertTrue(!all.contains("a-secret-of"), all);
    }

    @Test
    void theDocumentsAreThoseThatTheMachineReads() throws Exception {
        harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
        JsonNode documents =
                harness.get("/v1/machines/FrontEnd_IN_0/documents").json().path("documents");
        assertEquals(7, documents.size());
        for (var version : documents.properties()) {
            HttpRequest poll = HttpRequest.newBuilder(
                            URI.create("http://" + harness.service().metadata()
                                    + "/metadata/scheduledevents?api-version=" + version.getKey()))
                    .header("Metadata", "true")
                    .build();
            String read = HttpClient.newHttpClient()
                    .send(poll, BodyHandlers.ofString())
                    .body();
            assertEquals(
                    new ObjectMapper().readTree(read),
                    new ObjectMapper().readTree(version.getValue().asText()));
            assertEquals(read.strip(), version.getValue().asText());
        }
    }
}
