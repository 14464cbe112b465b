package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.control.ControlHarness.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Browsers that sign in, and requests that try to use their cookies. */
final class SessionApiTest {
    private static final Map<String, String> CONSOLE = Map.of("Forewarn-Console", "1");

    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        harness.put("/v1/fleet", """
                machines:
                  - {name: a1, tenant: shop}
                  - {name: b1, tenant: bank}
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

    private String cookie(Reply signedIn) {
        assertEquals(200, signedIn.status(), signedIn.error());
        return signedIn.response()
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";")[0];
    }

    private String signIn(String secret) throws Exception {
        return cookie(harness.ask("POST", "/v1/session", "", secret, CONSOLE));
    }

    private Reply as(String cookie, String method, String path, String body, Map<String, String> headers)
            throws Exception {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Cookie", cookie);
        return harness.ask(method, path, body, null, all);
    }

    private String link() throws Exception {
        return harness.post("/v1/session/link", "").json().path("code").asText();
    }

    @Test
    void aSessionHasTheRightsOfItsToken() throws Exception {
        String cookie = signIn(token("shop-viewer", "viewer", "shop"));
        Reply who = as(cookie, "GET", "/v1/session", "", Map.of());
        assertEquals("shop-viewer", who.json().path("name").asText());
        assertEquals("viewer", who.json().path("role").asText());
        assertEquals("shop", who.json().path("tenant").asText());
        assertEquals(200, as(cookie, "GET", "/v1/machines/a1", "", Map.of()).status());
        assertEquals(
                404, as(cookie, "GET", "/v1/machines/bank%2Fb1", "", Map.of()).status());
        assertEquals(403, as(cookie, "GET", "/v1/audit", "", Map.of()).status());
        assertEquals(
                403, as(cookie, "POST", "/v1/machines/a1/restart", "", CONSOLE).status());
    }

    @Test
    void theCookieIsHiddenFromScriptsAndOtherSites() throws Exception {
        Reply signedIn = harness.ask("POST", "/v1/session", "", harness.token(), CONSOLE);
        String cookie = signedIn.response().headers().firstValue("Set-Cookie").orElseThrow();
        assertTrue(cookie.toLowerCase(Locale.ROOT).contains("; httponly;"), cookie);
        assertTrue(cookie.contains("SameSite=Strict"), cookie);
        assertTrue(cookie.contains("Path=/"), cookie);
        assertFalse(cookie.contains("Secure"), "this listener has no TLS: " + cookie);
        assertFalse(cookie.contains(harness.token()), "the token itself is not in the cookie");
    }

    @Test
    void underTlsTheCookieIsSecure() {
        SessionCookies cookies = new SessionCookies(new byte[32], () -> Instant.EPOCH, true);
        assertTrue(cookies.name().startsWith("__Host-"), cookies.name());
    }

    @Test
    void aSessionEndsWithItsToken() throws Exception {
        String cookie = signIn(token("ops", "operator", "*"));
        assertEquals(200, as(cookie, "GET", "/v1/status", "", Map.of()).status());
        harness.delete("/v1/tokens/ops");
        assertEquals(401, as(cookie, "GET", "/v1/status", "", Map.of()).status());
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        token("ops", "operator", "*");
        assertEquals(
                401,
                as(cookie, "GET", "/v1/status", "", Map.of()).status(),
                "another token of the same name does not revive it");
    }

    @Test
    void aSessionEndsWhenItsTokenExpires() throws Exception {
        Reply made = harness.post("/v1/tokens", "{\"name\":\"brief\",\"role\":\"viewer\",\"expiresIn\":\"1m\"}");
        String cookie = signIn(made.json().path("secret").asText());
        assertEquals(200, as(cookie, "GET", "/v1/status", "", Map.of()).status());
        harness.post("/v1/clock/advance", "{\"by\":\"2m\"}");
        assertEquals(401, as(cookie, "GET", "/v1/status", "", Map.of()).status());
    }

    @Test
    void movingTheManualClockByDaysEndsNoSession() throws Exception {
        String cookie = signIn(harness.token());
        harness.post("/v1/clock/advance", "{\"by\":\"3d\"}");
        assertEquals(200, as(cookie, "GET", "/v1/status", "", Map.of()).status());
    }

    @Test
    void aSessionOutlivesARestart() throws Exception {
        String cookie = signIn(token("ops", "operator", "*"));
        String local = signIn(harness.token());
        harness.close();
        harness = new ControlHarness(folder, Map.of());
        assertEquals(200, as(cookie, "GET", "/v1/status", "", Map.of()).status());
        assertEquals(200, as(local, "GET", "/v1/status", "", Map.of()).status());
        Path key = folder.resolve("data").resolve("console.key");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
    }

    @Test
    void aSessionOfAnotherServiceIsWorthNothing() throws Exception {
        String cookie = signIn(harness.token());
        try (ControlHarness other = new ControlHarness(folder.resolve("other"), Map.of())) {
            Reply said = other.ask("GET", "/v1/status", "", null, Map.of("Cookie", cookie));
            assertEquals(401, said.status());
            String theirs = other.ask("POST", "/v1/session", "", other.token(), CONSOLE)
                    .response()
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow();
            assertNotEquals(cookie.split("=")[0], theirs.split("=")[0], "they do not overwrite each other");
        }
    }

    @Test
    void aChangedCookieIsRefused() throws Exception {
        String cookie = signIn(token("shop-viewer", "viewer", "shop"));
        String name = cookie.split("=", 2)[0];
        String value = cookie.split("=", 2)[1];
        for (String wrong : new String[] {
            "", "x", value + "A", "A" + value, value.substring(0, value.length() - 4) + "AAAA", value.replace(".", "")
        }) {
            Reply said = as(name + "=" + wrong, "GET", "/v1/status", "", Map.of());
            assertEquals(401, said.status(), wrong);
            assertEquals("the session has ended; sign in again", said.error());
        }
    }

    @Test
    void aLinkWorksOnceAndOnlyToSignIn() throws Exception {
        String code = link();
        assertEquals(401, harness.ask("GET", "/v1/status", "", code, Map.of()).status());
        String cookie = signIn(code);
        assertEquals(
                "local",
                as(cookie, "GET", "/v1/session", "", Map.of())
                        .json()
                        .path("name")
                        .asText());
        Reply again = harness.ask("POST", "/v1/session", "", code, CONSOLE);
        assertEquals(401, again.status());
        assertTrue(again.error().contains("'forewarn console' makes a new one"), again.error());
    }

    @Test
    void aLinkOfARevokedTokenSignsNobodyIn() throws Exception {
        String secret = token("ops", "operator", "*");
        String code = harness.ask("POST", "/v1/session/link", "", secret, Map.of())
                .json()
                .path("code")
                .asText();
        harness.delete("/v1/tokens/ops");
        assertEquals(401, harness.ask("POST", "/v1/session", "", code, CONSOLE).status());
    }

    @Test
    void aSessionCannotProlongItself() throws Exception {
        String cookie = signIn(harness.token());
        assertEquals(403, as(cookie, "POST", "/v1/session/link", "", CONSOLE).status());
        assertEquals(401, as(cookie, "POST", "/v1/session", "", CONSOLE).status());
    }

    @Test
    void onlyTheConsoleItselfMayUseTheCookie() throws Exception {
        String cookie = signIn(harness.token());
        String host = harness.service().control().toString();
        String change = "/v1/machines/shop%2Fa1/restart";
        assertEquals(403, as(cookie, "POST", change, "", Map.of()).status(), "a form cannot add the header");
        Map<String, Map<String, String>> elsewhere = Map.of(
                "another site", Map.of("Origin", "https://evil.example", "Forewarn-Console", "1"),
                "another port of this host", Map.of("Origin", "http://127.0.0.1:1", "Forewarn-Console", "1"),
                "a sandboxed frame", Map.of("Origin", "null", "Forewarn-Console", "1"),
                "what the browser calls cross-site", Map.of("Sec-Fetch-Site", "cross-site", "Forewarn-Console", "1"),
                "what the browser calls same-site", Map.of("Sec-Fetch-Site", "same-site", "Forewarn-Console", "1"));
        for (var from : elsewhere.entrySet()) {
            assertEquals(403, as(cookie, "POST", change, "", from.getValue()).status(), from.getKey());
            assertEquals(
                    403, as(cookie, "GET", "/v1/status", "", from.getValue()).status(), from.getKey());
        }
        assertEquals(0, harness.get("/v1/events").json().path("events").size());
        Map<String, String> console =
                Map.of("Origin", "http://" + host, "Sec-Fetch-Site", "same-origin", "Forewarn-Console", "1");
        assertEquals(200, as(cookie, "POST", change, "", console).status());
    }

    @Test
    void whatASessionDoesIsAuditedUnderTheNameOfItsToken() throws Exception {
        String cookie = signIn(token("anna", "operator", "*"));
        assertEquals(
                200,
                as(cookie, "POST", "/v1/machines/shop%2Fa1/restart", "", CONSOLE)
                        .status());
        assertEquals(
                "anna",
                harness.get("/v1/audit?limit=1").json().at("/audit/0/by/name").asText());
    }

    @Test
    void signingOutDeletesTheCookie() throws Exception {
        String cookie = signIn(harness.token());
        Reply out = as(cookie, "DELETE", "/v1/session", "", CONSOLE);
        assertEquals(200, out.status());
        assertTrue(
                out.response().headers().firstValue("Set-Cookie").orElseThrow().contains("Max-Age=0"));
    }
}
