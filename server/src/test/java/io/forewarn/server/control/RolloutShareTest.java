package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.core.access.Role;
import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.RouteAccess;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rollout over the hosts of two tenants, one of which has a blackout: each owner reads its own share, its dates and its
 * reasons, and nothing it is told names the other tenant, its machines, its groups or the hosts that it alone uses.
 */
final class RolloutShareTest {
    private static final List<String> OF_SHOP = List.of("shop", "till", "kiosk", "rack-2");
    private static final List<String> OF_BANK = List.of("bank", "vault", "ledger", "rack-3");
    private static final String MONDAY = "2040-01-09T08:00:00Z";

    @TempDir
    private Path folder;

    private ControlHarness harness;
    private WebhookReceiver toShop;
    private WebhookReceiver toBank;
    private String shop;
    private String bank;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of("notifications.allowed-targets", "127.0.0.0/8"));
        toShop = new WebhookReceiver();
        toBank = new WebhookReceiver();
        ok(harness.post("/v1/clock/set", "{\"to\":\"2040-01-03T12:00:00Z\"}"));
        ok(harness.put("/v1/fleet", """
                machines:
                  - {name: till, tenant: shop, host: rack-1, addresses: [127.0.9.1]}
                  - {name: kiosk, tenant: shop, host: rack-2}
                  - {name: vault, tenant: bank, host: rack-1, addresses: [127.0.9.2]}
                  - {name: ledger, tenant: bank, host: rack-3}
                """));
        shop = token("shop");
        bank = token("bank");
        subscribe(toShop, shop);
        subscribe(toBank, bank);
        ok(harness.ask(
                "POST",
                "/v1/policies",
                "{\"blackouts\":[\"2040-01-03T00:00..2040-01-09T08:00 UTC\"]}",
                bank,
                Map.of()));
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
        toShop.close();
        toBank.close();
    }

    private static Reply ok(Reply said) {
        assertEquals(200, said.status(), said.response().body());
        return said;
    }

    private String token(String tenant) throws Exception {
        return ok(harness.post("/v1/tokens", "{\"name\":\"" + tenant + "-team\",\"tenant\":\"" + tenant + "\"}"))
                .json()
                .path("secret")
                .asText();
    }

    private void subscribe(WebhookReceiver receiver, String secret) throws Exception {
        ok(harness.ask(
                "POST", "/v1/webhooks", "{\"name\":\"chat\",\"url\":\"" + receiver.url() + "\"}", secret, Map.of()));
    }

    private void start(String more) throws Exception {
        ok(harness.post("/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"rack-*\"]" + more + "}"));
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
    }

    private JsonNode as(String secret, String path) throws Exception {
        return ok(harness.ask("GET", path, "", secret, Map.of())).json();
    }

    private static List<String> texts(JsonNode list, String member) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(item -> item.path(member).asText())
                .toList();
    }

    /** All that an owner, its receiver and its machine are told, request by request. */
    private List<String> told(String secret, String address, WebhookReceiver receiver) throws Exception {
        List<String> paths = new ArrayList<>();
        for (Route route : Route.values()) {
            boolean ofOwners =
                    route.access() != RouteAccess.OPEN && route.access().allows(Role.OWNER, false);
            if (ofOwners
                    && route != Route.OPENAPI
                    && route.method().equals("GET")
                    && !route.template().contains("{")) {
                paths.add(route.uri() + (route == Route.STREAM ? "?since=0.0&follow=false&kinds=all" : ""));
            }
        }
        paths.add("/v1/history?rollout=os");
        paths.add("/v1/search?text=a");
        paths.add("/v1/search?text=os");
        paths.add("/v1/hosts/rack-1");
        if (harness.get("/v1/rollouts/os").status() == 200) {
            paths.add("/v1/rollouts/os");
            paths.add("/v1/rollouts/os/units");
        }
        for (JsonNode event : as(secret, "/v1/events").path("events")) {
            paths.add("/v1/events/" + event.path("id").asText());
            paths.add("/v1/events/" + event.path("id").asText() + "/policy");
        }
        List<String> all = new ArrayList<>();
        for (String path : paths) {
            all.add(path + " "
                    + harness.ask("GET", path, "", secret, Map.of()).response().body());
        }
        for (String path : List.of("/forewarn/v1/events", "/metadata/scheduledevents?api-version=2020-07-01")) {
            all.add(path + " " + asMachine(address, path));
        }
        receiver.came().forEach(came -> all.add("webhook " + new String(came.body(), StandardCharsets.UTF_8)));
        return all;
    }

    private String asMachine(String address, String path) throws Exception {
        try (Socket socket = new Socket(
                InetAddress.getByName("127.0.0.1"),
                harness.service().metadata().port(),
                InetAddress.getByName(address),
                0)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nMetadata: true\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void neitherLearnsOfTheOther() throws Exception {
        noneNames(OF_BANK, told(shop, "127.0.9.1", toShop));
        noneNames(OF_SHOP, told(bank, "127.0.9.2", toBank));
    }

    private static void noneNames(List<String> others, List<String> told) {
        for (String answer : told) {
            others.forEach(name -> assertFalse(answer.contains(name), () -> name + " in " + answer));
        }
    }

    @Test
    void anOwnerReadsItsOwnShare() throws Exception {
        start("");
        JsonNode listed = as(shop, "/v1/rollouts").at("/rollouts/0");
        assertEquals(2, listed.path("units").asInt(), listed.toString());
        assertEquals("[\"rack-1\",\"rack-2\"]", listed.path("target").toString());
        JsonNode shown = as(shop, "/v1/rollouts/os");
        assertEquals(2, shown.path("units").asInt());
        assertEquals(1, shown.path("active").asInt());
        assertEquals(1, shown.path("pending").asInt());
        assertEquals(List.of("rack-2"), texts(shown.path("activeUnits"), "name"));
        assertEquals(List.of("rack-2", "rack-1"), texts(shown.path("nextUnits"), "name"));
        JsonNode units = as(shop, "/v1/rollouts/os/units").path("units");
        assertEquals(List.of("rack-2", "rack-1"), texts(units, "name"));
        assertEquals("[\"shop/till\"]", units.at("/1/machines").toString());
        assertEquals(3, harness.get("/v1/rollouts/os").json().path("units").asInt());
        neitherLearnsOfTheOther();
    }

    @Test
    void aRolloutOfOthersDoesNotExistForAnOwner() throws Exception {
        ok(harness.post("/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"rack-3\"]}"));
        assertEquals(0, as(shop, "/v1/rollouts").path("rollouts").size());
        for (String path : List.of("/v1/rollouts/os", "/v1/rollouts/os/units")) {
            Reply there = harness.ask("GET", path, "", shop, Map.of());
            Reply nowhere = harness.ask("GET", path.replace("/os", "/none"), "", shop, Map.of());
            assertEquals(404, there.status());
            assertEquals(nowhere.error().replace("none", "os"), there.error());
        }
        neitherLearnsOfTheOther();
    }

    @Test
    void aBlackoutIsNamedToOperatorsAndItsOwnerOnly() throws Exception {
        start("");
        String because = "a blackout until " + MONDAY + ", by the policy of tenant bank, set by an owner";
        for (String[] reader :
                new String[][] {{harness.token(), because}, {bank, because}, {shop, "another tenant on the same host"}
                }) {
            JsonNode unit = StreamSupport.stream(
                            as(reader[0], "/v1/rollouts/os/units").path("units").spliterator(), false)
                    .filter(u -> u.path("name").asText().equals("rack-1"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(reader[1], unit.path("reason").asText(), unit.toString());
            assertEquals(MONDAY, unit.path("startsAt").asText());
        }
        neitherLearnsOfTheOther();
    }

    @Test
    void eachTenantIsToldItsDatesAtOnce() throws Exception {
        start("");
        toShop.await(2);
        toBank.await(1);
        JsonNode told = toShop.came().stream()
                .map(WebhookReceiver.Came::json)
                .filter(json -> json.path("type").asText().endsWith("planned"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(toShop.types().toString()));
        assertEquals("[\"kiosk\",\"till\"]", told.at("/data/machines").toString(), told.toString());
        assertTrue(told.toString().contains(MONDAY), told.toString());
        neitherLearnsOfTheOther();
    }

    @Test
    void aMoveIsToldWithoutNamingWhoseItIs() throws Exception {
        start("");
        ok(harness.ask(
                "POST",
                "/v1/policies",
                "{\"blackouts\":[\"2040-01-03T00:00..2040-01-10T08:00 UTC\"]}",
                bank,
                Map.of()));
        ok(harness.post("/v1/clock/set", "{\"to\":\"2040-01-09T09:00:00Z\"}"));
        JsonNode moved = StreamSupport.stream(
                        as(shop, "/v1/history?rollout=os").path("history").spliterator(), false)
                .filter(entry -> entry.path("kind").asText().equals("rollout-moved"))
                .findFirst()
                .orElseThrow();
        assertEquals("another tenant on the same host", moved.path("detail").asText(), moved.toString());
        assertEquals("2040-01-10T08:00:00Z", moved.path("notBefore").asText());
        assertEquals(1, as(shop, "/v1/rollouts/os").path("movedUnits").asInt());
        neitherLearnsOfTheOther();
    }

    @Test
    void noNameReachesTheOtherWhileTheWorkIsDone() throws Exception {
        start("");
        ok(harness.post("/v1/clock/set", "{\"to\":\"2040-01-09T07:50:00Z\"}"));
        String id = as(shop, "/v1/events?machine=till").at("/events/0/id").asText();
        neitherLearnsOfTheOther();
        ok(harness.ask("POST", "/v1/events/" + id + "/approve", "", shop, Map.of()));
        neitherLearnsOfTheOther();
        ok(harness.post("/v1/rollouts/os/pause", ""));
        neitherLearnsOfTheOther();
        ok(harness.post("/v1/rollouts/os/resume", ""));
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        neitherLearnsOfTheOther();
        ok(harness.post("/v1/clock/advance", "{\"by\":\"1h\"}"));
        assertEquals("done", as(shop, "/v1/rollouts/os").path("status").asText());
        assertEquals(2, as(bank, "/v1/rollouts/os").path("done").asInt());
        neitherLearnsOfTheOther();
    }

    @Test
    void theReasonsOfOneTenantDoNotReachTheOther() throws Exception {
        start("");
        ok(harness.post("/v1/clock/set", "{\"to\":\"2040-01-09T07:50:00Z\"}"));
        String till = as(shop, "/v1/events?machine=till").at("/events/0/id").asText();
        ok(harness.ask(
                "POST", "/v1/events/" + till + "/approve", "{\"reason\":\"the till is closed\"}", shop, Map.of()));
        assertTrue(as(shop, "/v1/events/" + till).toString().contains("the till is closed"));
        neitherLearnsOfTheOther();
        ok(harness.post("/v1/rollouts/os/pause", "{\"reason\":\"till and vault need a look\"}"));
        assertEquals(
                "till and vault need a look",
                harness.get("/v1/rollouts/os").json().path("reason").asText());
        neitherLearnsOfTheOther();
        ok(harness.post("/v1/events/" + till + "/cancel", "{\"reason\":\"the till was sold\"}"));
        JsonNode gone = as(shop, "/v1/events/" + till);
        assertEquals(
                "the till was sold",
                gone.path("history")
                        .get(gone.path("history").size() - 1)
                        .path("reason")
                        .asText(),
                gone.toString());
        neitherLearnsOfTheOther();
        ok(harness.post("/v1/rollouts/os/abort", "{\"reason\":\"till and vault again\"}"));
        assertEquals(
                "by local: till and vault again",
                harness.get("/v1/rollouts/os").json().path("reason").asText());
        neitherLearnsOfTheOther();
    }

    @Test
    void aHaltedRolloutSaysWhyOnlyToThoseWhoMayKnow() throws Exception {
        ok(harness.ask("DELETE", "/v1/policies", "", bank, Map.of()));
        start(",\"until\":\"in 2h\"");
        ok(harness.ask(
                "POST",
                "/v1/policies",
                "{\"blackouts\":[\"2040-01-03T00:00..2040-01-10T08:00 UTC\"]}",
                bank,
                Map.of()));
        ok(harness.post("/v1/clock/advance", "{\"by\":\"3h\"}"));
        JsonNode halted = harness.get("/v1/rollouts/os").json();
        assertEquals("halted", halted.path("status").asText(), halted.toString());
        assertTrue(halted.path("reason").asText().contains("policy of tenant bank"), halted.toString());
        assertEquals(
                "a unit failed or could not start in time",
                as(shop, "/v1/rollouts/os").path("reason").asText());
        neitherLearnsOfTheOther();
    }
}
