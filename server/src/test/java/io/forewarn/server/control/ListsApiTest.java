package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of hosts, machines, groups and events: what the filters select, and in which order. */
final class ListsApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of("fleet.demo", "false"));
        Reply applied = harness.put("/v1/fleet", """
                groups:
                  - {name: web, tenant: shop, kind: availability-set, update-domains: 2}
                  - {name: db, tenant: shop, kind: availability-set, update-domains: 2}
                  - {name: ledger, tenant: bank, kind: availability-set, update-domains: 2}
                machines:
                  - {name: web-1, tenant: shop, group: web, update-domain: 0, host: host-1, tags: {env: prod}}
                  - {name: web-2, tenant: shop, group: web, update-domain: 1, host: host-2, tags: {env: test}}
                  - {name: db-1, tenant: shop, group: db, update-domain: 0, host: host-1, tags: {env: prod}}
                  - {name: ledger-1, tenant: bank, group: ledger, update-domain: 0, host: host-2}
                  - {name: ledger-2, tenant: bank, group: ledger, update-domain: 1, host: host-11}
                  - {name: loose, tenant: bank}
                """);
        assertEquals(200, applied.status(), applied.error());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private List<String> names(String path) throws Exception {
        return texts(path, "name");
    }

    private List<String> texts(String path, String member) throws Exception {
        Reply reply = harness.get(path);
        assertEquals(200, reply.status(), reply.error());
        return texts(reply.json(), member);
    }

    private static List<String> texts(JsonNode list, String member) {
        return StreamSupport.stream(list.elements().next().spliterator(), false)
                .map(item -> item.path(member).asText())
                .toList();
    }

    private void refused(int status, String reason, String path) throws Exception {
        Reply reply = harness.get(path);
        assertEquals(status, reply.status(), path);
        assertTrue(reply.error().contains(reason), reply.error());
    }

    private String token(String role, String tenant) throws Exception {
        Reply made = harness.post(
                "/v1/tokens",
                "{\"name\":\"%s-%s\",\"role\":\"%s\",\"tenant\":\"%s\"}".formatted(role, tenant, role, tenant));
        return made.json().path("secret").asText();
    }

    private void start(String name, String target) throws Exception {
        Reply reply = harness.post("/v1/rollouts", "{\"name\":\"%s\",\"type\":\"reboot\",%s}".formatted(name, target));
        assertEquals(200, reply.status(), reply.error());
        assertEquals(200, harness.post("/v1/clock/advance", "{\"by\":\"1s\"}").status());
    }

    @Test
    void aHostSaysWhatItCarriesAndWhichWorkComesNext() throws Exception {
        assertEquals(List.of("host-1", "host-11", "host-2"), names("/v1/hosts"));
        JsonNode idle = harness.get("/v1/hosts/host-2").json();
        assertEquals(2, idle.path("machines").asInt());
        assertEquals(2, idle.path("running").asInt());
        assertEquals("[\"bank\",\"shop\"]", idle.path("tenants").toString());
        assertEquals(
                "[\"bank/ledger#0\",\"shop/web#1\"]", idle.path("updateDomains").toString());
        assertEquals(
                "[\"bank/ledger-1\",\"shop/web-2\"]", idle.path("machineNames").toString());
        assertTrue(idle.path("nextWork").isMissingNode(), idle.toString());
        assertTrue(idle.path("needsEvacuation").isMissingNode(), idle.toString());

        start("os", "\"hosts\":[\"host-2\"]");
        JsonNode busy = harness.get("/v1/hosts/host-2").json();
        assertEquals("os", busy.at("/nextWork/rollout").asText());
        assertEquals("reboot", busy.at("/nextWork/type").asText());
        assertEquals("scheduled", busy.at("/nextWork/status").asText());
        assertEquals(2, busy.path("events").size());
        assertEquals(
                busy.at("/events/0/notBefore").asText(),
                busy.at("/nextWork/notBefore").asText());
        assertTrue(harness.get("/v1/hosts/host-1").json().path("nextWork").isMissingNode());
    }

    @Test
    void aUnitWhoseTurnHasNotComeIsTheNextWorkOfItsHost() throws Exception {
        Reply reply = harness.post(
                "/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"host-11\"],\"at\":\"in 3d\"}");
        assertEquals(200, reply.status(), reply.error());
        JsonNode host = harness.get("/v1/hosts/host-11").json();
        assertEquals("planned", host.at("/nextWork/status").asText(), host.toString());
        assertEquals("os", host.at("/nextWork/rollout").asText());
        assertFalse(host.at("/nextWork").has("event"), host.toString());
        harness.post("/v1/machines/bank%2Fledger-2/freeze", "");
        assertEquals(
                "freeze",
                harness.get("/v1/hosts/host-11").json().at("/nextWork/type").asText(),
                "what starts earlier comes first");
    }

    @Test
    void workThatWaitsIsTheNextOfItsHostOnlyIfNothingHasADate() throws Exception {
        harness.post("/v1/machines/bank%2Fledger-2/restart", "");
        harness.post("/v1/machines/bank%2Fledger-2/freeze", "");
        JsonNode host = harness.get("/v1/hosts/host-11").json();
        assertEquals("waiting", host.at("/events/1/status").asText(), host.toString());
        assertEquals("reboot", host.at("/nextWork/type").asText(), host.toString());
        assertEquals(
                host.at("/events/0/notBefore").asText(),
                host.at("/nextWork/notBefore").asText());
    }

    @Test
    void aHostWithTwoUpdateDomainsOfAGroupSaysThatItNeedsAnEvacuation() throws Exception {
        harness.put("/v1/machines/shop%2Fweb-3", "{\"group\":\"web\",\"updateDomain\":1,\"host\":\"host-1\"}");
        assertTrue(
                harness.get("/v1/hosts/host-1").json().path("needsEvacuation").asBoolean());
    }

    @Test
    void hostsAreReadPageByPage() throws Exception {
        assertEquals(List.of("host-1", "host-11"), names("/v1/hosts?limit=2"));
        assertEquals(List.of("host-2"), names("/v1/hosts?limit=2&after=host-11"));
        assertEquals(List.of("host-11"), names("/v1/hosts?host=" + encoded("host-1?")));
        assertEquals(List.of("host-1", "host-2"), names("/v1/hosts?tenant=shop"));
        refused(404, "no machine runs on host host-3; did you mean host-", "/v1/hosts/host-3");
    }

    @Test
    void anOwnerSeesOfAHostOnlyItsOwnMachines() throws Exception {
        String owner = token("owner", "shop");
        Reply listed = harness.ask("GET", "/v1/hosts", "", owner, Map.of());
        assertEquals(List.of("host-1", "host-2"), texts(listed.json(), "name"));
        Reply shown = harness.ask("GET", "/v1/hosts/host-2", "", owner, Map.of());
        assertEquals(1, shown.json().path("machines").asInt());
        assertFalse(shown.response().body().contains("bank"), shown.response().body());
        start("os", "\"hosts\":[\"host-2\"]");
        Reply busy = harness.ask("GET", "/v1/hosts/host-2", "", owner, Map.of());
        assertEquals(1, busy.json().path("events").size());
        assertFalse(busy.response().body().contains("bank"), busy.response().body());
        Reply theirs = harness.ask("GET", "/v1/hosts/host-11", "", owner, Map.of());
        Reply nobodys = harness.ask("GET", "/v1/hosts/host-99", "", owner, Map.of());
        assertEquals(404, theirs.status());
        assertEquals(nobodys.error().replace("99", "11"), theirs.error());
    }

    @Test
    void machinesAreFilteredByHostTenantTagNameAndGroup() throws Exception {
        assertEquals(List.of("db-1", "web-1"), names("/v1/machines?host=host-1"));
        assertEquals(List.of("web-2"), names("/v1/machines?host=host-2&tenant=shop"));
        assertEquals(List.of("ledger-2"), names("/v1/machines?host=" + encoded("*1?")));
        assertEquals(List.of("db-1", "web-1"), names("/v1/machines?tag=env%3Dprod"));
        assertEquals(List.of("web-1", "web-2"), names("/v1/machines?name=" + encoded("shop/web-?")));
        assertEquals(List.of("ledger-1", "ledger-2"), names("/v1/machines?tenant=bank&name=" + encoded("ledger*")));
        assertEquals(List.of("web-1"), names("/v1/machines?host=host-1&group=" + encoded("shop/w*")));
        assertEquals(List.of("db-1", "web-1", "web-2"), names("/v1/machines?group=" + encoded("shop/*")));
        assertEquals(List.of(), names("/v1/machines?polling=silent"));
        refused(400, "tag must be KEY=VALUE", "/v1/machines?tag=prod");
        refused(404, "no machine runs on host host-7", "/v1/machines?host=host-7");
        refused(400, "polling must be never, polling or silent, not 'asleep'", "/v1/machines?polling=asleep");
    }

    @Test
    void machinesAreSortedAndLimitedByTheServer() throws Exception {
        assertEquals(List.of("loose", "ledger-2", "ledger-1"), names("/v1/machines?sort=-name&tenant=bank"));
        assertEquals(List.of("ledger-1", "ledger-2"), names("/v1/machines?sort=name&limit=2"));
        assertEquals(
                List.of("", "host-1", "host-1", "host-11", "host-2", "host-2"),
                texts("/v1/machines?sort=host", "host"));
        refused(400, "sort must be group, host, last-poll or name, not 'size'", "/v1/machines?sort=size");
    }

    @Test
    void groupsAreNamedByPattern() throws Exception {
        assertEquals(List.of("db", "web"), names("/v1/groups?group=" + encoded("shop/*")));
        assertEquals(List.of("web"), names("/v1/groups?tenant=shop&group=" + encoded("w*")));
    }

    @Test
    void eventsAreFilteredByRolloutHostTypeAndState() throws Exception {
        start("os", "\"hosts\":[\"host-2\"]");
        harness.post("/v1/machines/shop%2Fdb-1/freeze", "");
        assertEquals(2, names("/v1/events?rollout=os").size());
        assertEquals(List.of("shop"), texts("/v1/events?rollout=os&tenant=shop", "tenant"));
        assertEquals(List.of("freeze"), texts("/v1/events?host=host-1", "type"));
        assertEquals(List.of("freeze"), texts("/v1/events?type=freeze", "type"));
        assertEquals(2, names("/v1/events?type=reboot&state=scheduled").size());
        assertEquals(List.of(), names("/v1/events?state=started"));
        assertEquals(List.of("freeze", "reboot", "reboot"), texts("/v1/events?sort=type", "type"));
        assertEquals(List.of("reboot"), texts("/v1/events?sort=-type&limit=1", "type"));
        refused(404, "there is no rollout so", "/v1/events?rollout=so");
        refused(400, "state must be waiting, scheduled or started, not 'gone'", "/v1/events?state=gone");
        refused(400, "type must be", "/v1/events?type=restart");
    }

    @Test
    void severalMachinesAreNamedByPatternAndAllOrNoneIsScheduled() throws Exception {
        Reply done = harness.post("/v1/actions/restart", "{\"machines\":[\"shop/web-*\",\"shop/web-1\"]}");
        assertEquals(200, done.status(), done.error());
        assertEquals(2, done.json().path("events").size());
        Reply none = harness.post("/v1/actions/restart", "{\"machines\":[\"shop/db-1\",\"shop/cache-*\"]}");
        assertEquals(404, none.status());
        assertTrue(none.error().contains("no machine matches 'cache-*'; there are db-1, web-1"), none.error());
        assertEquals(2, names("/v1/events").size());
        Reply theirs = harness.ask(
                "POST", "/v1/actions/restart", "{\"machines\":[\"bank/*\"]}", token("owner", "shop"), Map.of());
        assertEquals(404, theirs.status());
    }
}
