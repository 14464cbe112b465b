package io.forewarn.server.control;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenApiTest {
    private static final String SHOP = "machines:\n  - {name: db-1, tenant: shop}\n";

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
    void aTokenIsValidUntilItIsRevoked() throws Exception {
        String secret = make("{\"name\":\"ci\"}");
        assertEquals(200, as(secret, "GET", "/v1/status", "").status());
        Reply list = harness.get("/v1/tokens");
        assertEquals("ci", list.json().path("tokens").get(0).path("name").asText());
        assertFalse(list.response().body().contains(secret));
        assertEquals(409, harness.post("/v1/tokens", "{\"name\":\"ci\"}").status());
        assertEquals(200, harness.delete("/v1/tokens/ci").status());
        assertEquals(401, as(secret, "GET", "/v1/status", "").status());
        assertEquals(404, harness.delete("/v1/tokens/ci").status());
    }

    /** Whoever is refused a name that no one of its own has learns that another tenant has it. */
    @Test
    void namesOfOtherTenantsAreNotRevealed() throws Exception {
        String shop = make("{\"name\":\"shop-team\",\"tenant\":\"shop\"}");
        String bank = make("{\"name\":\"bank-team\",\"tenant\":\"bank\"}");
        Reply first = as(shop, "POST", "/v1/tokens", "{\"name\":\"ci\"}");
        Reply second = as(bank, "POST", "/v1/tokens", "{\"name\":\"ci\"}");
        assertEquals(200, second.status(), second.error());
        assertEquals("ci", second.json().path("name").asText());
        assertEquals(409, as(bank, "POST", "/v1/tokens", "{\"name\":\"ci\"}").status());
        String of = second.json().path("secret").asText();
        assertEquals(200, as(of, "GET", "/v1/machines", "").status());
        assertEquals(2, as(bank, "GET", "/v1/tokens", "").json().path("tokens").size());

        assertEquals(200, as(bank, "DELETE", "/v1/tokens/ci", "").status());
        assertEquals(401, as(of, "GET", "/v1/machines", "").status());
        assertEquals(404, as(bank, "DELETE", "/v1/tokens/ci", "").status(), "the other tenant's stays");
        assertEquals(
                200,
                as(first.json().path("secret").asText(), "GET", "/v1/machines", "")
                        .status());

        assertEquals(200, as(bank, "POST", "/v1/tokens", "{\"name\":\"ci\"}").status());
        assertEquals(200, harness.delete("/v1/tokens/bank%2Fci").status());
        assertEquals(200, harness.delete("/v1/tokens/shop%2Fci").status());
        assertEquals(404, harness.delete("/v1/tokens/ci").status());
    }

    @Test
    void aListenerIsNotATenantsToGive() throws Exception {
        harness.put("/v1/fleet", SHOP);
        String secret = make("{\"name\":\"team\",\"tenant\":\"shop\"}");
        Reply refused = as(secret, "PUT", "/v1/machines/db-1", "{\"listen\":\"127.0.0.1:9001\"}");
        assertEquals(403, refused.status(), refused.json().toString());
        assertEquals(
                403,
                as(secret, "PUT", "/v1/fleet", "machines:\n  - {name: db-1, listen: '127.0.0.1:9001'}\n")
                        .status());
    }

    @Test
    void aTokenExpiresByServiceTime() throws Exception {
        String secret = make("{\"name\":\"short\",\"expiresIn\":\"1h\"}");
        harness.post("/v1/clock/advance", "{\"by\":\"59m59s\"}");
        assertEquals(200, as(secret, "GET", "/v1/status", "").status());
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        Reply expired = as(secret, "GET", "/v1/status", "");
        assertEquals(401, expired.status());
        assertTrue(expired.error().contains("expired"));
    }

    @Test
    void errorsDoNotRevealTheOwnerOfAnAddress() throws Exception {
        harness.put("/v1/fleet", "machines:\n  - {name: db-1, tenant: shop, addresses: [10.9.9.9]}\n");
        String secret = make("{\"name\":\"bank\",\"tenant\":\"bank\"}");
        String body = "{\"addresses\":[\"10.9.9.9\"]}";
        harness.put("/v1/tenants/bank", "{\"addresses\":[\"10.9.9.0/24\"]}");
        Reply taken = as(secret, "PUT", "/v1/machines/x", body);
        assertEquals(400, taken.status());
        assertEquals("address 10.9.9.9 of machine bank/x is taken", taken.error());
        Reply file = as(secret, "PUT", "/v1/fleet", "machines:\n  - {name: x, addresses: [10.9.9.9]}\n");
        assertEquals("line 2: address 10.9.9.9 of machine bank/x is taken", file.error());
        assertTrue(harness.put("/v1/machines/x", body).error().endsWith("already belongs to shop/db-1"));
    }

    @Test
    void aTenantsTokenOpensThatTenantOnly() throws Exception {
        harness.put("/v1/fleet", SHOP);
        String secret = make("{\"name\":\"shop\",\"tenant\":\"shop\"}");
        Reply own = as(secret, "GET", "/v1/machines", "");
        assertEquals(1, own.json().path("machines").size());
        assertEquals(
                "shop",
                as(secret, "GET", "/v1/machines/db-1", "").json().path("tenant").asText());
        assertEquals(
                1, as(secret, "GET", "/v1/status", "").json().path("machines").asInt());
        for (String path : new String[] {
            "/v1/machines/default%2Fdb-1",
            "/v1/machines/db-1?tenant=default",
            "/v1/groups?tenant=default",
            "/v1/fleet?tenant=default",
            "/v1/history?group=default%2Fweb"
        }) {
            assertEquals(404, as(secret, "GET", path, "").status(), path);
        }
        for (String path : new String[] {"/metrics", "/v1/doctor", "/v1/settings"}) {
            assertEquals(403, as(secret, "GET", path, "").status(), path);
        }
        assertEquals(
                403, as(secret, "POST", "/v1/clock/advance", "{\"by\":\"1s\"}").status());
        assertEquals(
                404,
                as(secret, "PUT", "/v1/fleet", "machines:\n  - {name: x, tenant: default}\n")
                        .status());
        assertEquals(
                200,
                as(secret, "PUT", "/v1/fleet", "machines:\n  - {name: db-2}\n").status());
        assertEquals(200, harness.get("/v1/machines/shop%2Fdb-2").status());

        String theirs = harness.post("/v1/machines/db-1/restart", "")
                .json()
                .path("events")
                .get(0)
                .path("id")
                .asText();
        assertEquals(404, as(secret, "GET", "/v1/events/" + theirs, "").status());
        assertEquals(
                404, as(secret, "POST", "/v1/events/" + theirs + "/approve", "").status());
        assertEquals(
                404, as(secret, "POST", "/v1/events/" + theirs + "/cancel", "").status());
        assertEquals(
                0, as(secret, "GET", "/v1/events", "").json().path("events").size());
        assertEquals(
                "scheduled",
                harness.get("/v1/events/" + theirs).json().path("status").asText());
        assertEquals(200, as(secret, "POST", "/v1/machines/db-1/restart", "").status());
    }

    @Test
    void aViewerSeesAndChangesNothing() throws Exception {
        harness.put("/v1/fleet", SHOP);
        String one = make("{\"name\":\"eyes\",\"role\":\"viewer\",\"tenant\":\"shop\"}");
        String all = make("{\"name\":\"all-eyes\",\"role\":\"viewer\"}");
        assertEquals(200, as(one, "GET", "/v1/machines/db-1", "").status());
        assertEquals(404, as(one, "GET", "/v1/machines/default%2Fdb-1", "").status());
        assertEquals(403, as(one, "GET", "/metrics", "").status());
        assertEquals(200, as(all, "GET", "/v1/machines/shop%2Fdb-1", "").status());
        assertEquals(200, as(all, "GET", "/metrics", "").status());
        for (String eyes : new String[] {one, all}) {
            Reply refused = as(eyes, "POST", "/v1/machines/shop%2Fdb-1/restart", "");
            assertEquals(403, refused.status());
            assertTrue(refused.error().endsWith("this needs an owner or operator"), refused.error());
            assertEquals(403, as(eyes, "GET", "/v1/tokens", "").status());
        }
    }

    @Test
    void anOwnerManagesTheTokensOfItsTenantAndNoOthers() throws Exception {
        make("{\"name\":\"root\"}");
        make("{\"name\":\"bank-team\",\"tenant\":\"bank\"}");
        String owner = make("{\"name\":\"shop-team\",\"role\":\"owner\",\"tenant\":\"shop\",\"expiresIn\":\"30d\"}");
        Reply made = as(owner, "POST", "/v1/tokens", "{\"name\":\"shop-eyes\",\"role\":\"viewer\"}");
        assertEquals("shop", made.json().path("tenant").asText());
        assertEquals(
                30,
                DAYS.between(time(made.json(), "createdAt"), time(made.json(), "expiresAt")),
                "as long as its maker");
        assertEquals(
                "owner",
                as(owner, "POST", "/v1/tokens", "{\"name\":\"shop-2\",\"expiresIn\":\"1d\"}")
                        .json()
                        .path("role")
                        .asText());
        Reply list = as(owner, "GET", "/v1/tokens", "");
        assertEquals(List.of("shop-2", "shop-eyes", "shop-team"), list.json().findValuesAsText("name"));
        for (String body : new String[] {
            "{\"name\":\"x\",\"role\":\"operator\"}",
            "{\"name\":\"x\",\"tenant\":\"bank\"}",
            "{\"name\":\"x\",\"tenant\":\"*\"}",
            "{\"name\":\"x\",\"role\":\"viewer\",\"tenant\":\"*\"}",
            "{\"name\":\"x\",\"expiresIn\":\"31d\"}"
        }) {
            assertTrue(as(owner, "POST", "/v1/tokens", body).status() >= 400, body);
        }
        Reply nobody = as(owner, "DELETE", "/v1/tokens/nobody", "");
        for (String name : new String[] {"root", "bank-team"}) {
            Reply theirs = as(owner, "DELETE", "/v1/tokens/" + name, "");
            assertEquals(404, theirs.status());
            assertEquals(nobody.error().replace("nobody", name), theirs.error());
        }
        assertEquals(200, as(owner, "DELETE", "/v1/tokens/shop-eyes", "").status());
        assertEquals(4, harness.get("/v1/tokens").json().path("tokens").size());
    }

    private static Instant time(JsonNode json, String member) {
        return Instant.parse(json.path(member).asText());
    }

    @Test
    void badTokensAreNotMade() throws Exception {
        for (String body : new String[] {
            "{}",
            "{\"name\":\"a b\"}",
            "{\"name\":\"a\",\"tenant\":\"-\"}",
            "{\"name\":\"a\",\"expiresIn\":\"soon\"}",
            "{\"name\":\"a\",\"role\":\"king\"}",
            "{\"name\":\"a\",\"role\":\"owner\"}",
            "{\"name\":\"a\",\"role\":\"operator\",\"tenant\":\"shop\"}"
        }) {
            assertEquals(400, harness.post("/v1/tokens", body).status(), body);
        }
        assertEquals(409, harness.post("/v1/tokens", "{\"name\":\"local\"}").status());
    }

    @Test
    void theLocalTokenIsForThisUserAndThisProcessOnly() throws Exception {
        String name = "127.0.0.1_" + harness.service().control().port() + ".token";
        Path home = Path.of(
                System.getenv().getOrDefault("HOME", System.getProperty("user.home")), ".forewarn", "run", name);
        String runtime = System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/nowhere");
        Path file = Stream.of(Path.of(runtime, "forewarn", name), home)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(0, harness.get("/v1/tokens").json().path("tokens").size());
        String old = harness.token();
        harness.close();
        assertFalse(Files.exists(file));
        harness = new ControlHarness(folder, Map.of());
        assertEquals(401, as(old, "GET", "/v1/status", "").status());
    }

    private String make(String body) throws Exception {
        Reply reply = harness.post("/v1/tokens", body);
        assertEquals(200, reply.status(), reply.json().toString());
        return reply.json().path("secret").asText();
    }

    private Reply as(String secret, String method, String path, String body) throws Exception {
        return harness.ask(method, path, body, secret, Map.of());
    }
}
