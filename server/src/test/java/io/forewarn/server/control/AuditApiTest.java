package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.server.control.ControlHarness.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log over HTTP, and what is found when its records in the SQLite file are changed behind the service's back. */
// Takes more than 20 s: many cases start a service of their own and change its file while it is stopped.
final class AuditApiTest {
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

    private List<JsonNode> log(String query) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        harness.get("/v1/audit" + query).json().path("audit").forEach(lines::add);
        return lines;
    }

    private static List<String> described(List<JsonNode> lines) {
        return lines.stream()
                .map(l -> l.at("/by/name").asText() + ": " + l.path("request").asText() + ": "
                        + l.path("outcome").asText())
                .toList();
    }

    private String token(String body) throws Exception {
        Reply made = harness.post("/v1/tokens", body);
        assertEquals(200, made.status(), made.error());
        return made.json().path("secret").asText();
    }

    /** Denials are written by and by: the line is waited for. */
    private void await(String line) {
        eventually(() -> described(log("")), described -> described.contains(line));
    }

    @Test
    void requestsAreAuditedWhetherDoneOrRefused() throws Exception {
        String shop = token("{\"name\":\"shop\",\"tenant\":\"shop\"}");
        String eyes = token("{\"name\":\"eyes\",\"role\":\"viewer\"}");
        harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
        harness.post("/v1/events/00000000-0000-0000-0000-000000000000/cancel", "");
        harness.ask("GET", "/v1/machines/default%2FFrontEnd_IN_0", "", shop, Map.of());
        await("shop: GET /v1/machines/default%2FFrontEnd_IN_0: refused");
        harness.ask("POST", "/v1/machines/FrontEnd_IN_1/restart", "", eyes, Map.of());
        await("eyes: POST /v1/machines/FrontEnd_IN_1/restart: refused");
        harness.put("/v1/machines/new-1", "{\"group\":\"nowhere\"}");
        await("local: change fleet: refused");
        harness.get("/v1/machines/nosuch");
        assertEquals(
                List.of(
                        "serve: change fleet: 12 groups and machines in default/web, default/batch, default/db-1: done",
                        "local: add token shop, owner of shop: done",
                        "local: add token eyes, viewer of all: done",
                        "local: restart default/FrontEnd_IN_0: done",
                        "local: cancel 00000000-0000-0000-0000-000000000000: refused",
                        "shop: GET /v1/machines/default%2FFrontEnd_IN_0: refused",
                        "eyes: POST /v1/machines/FrontEnd_IN_1/restart: refused",
                        "local: change fleet: refused"),
                described(log("?order=oldest")),
                "looking for what does not exist is nobody's business");
        JsonNode refused = log("?actor=eyes").get(0);
        assertEquals("forbidden", refused.path("problem").asText());
        assertTrue(refused.path("reason").asText().endsWith("this needs an owner or operator"));
        assertEquals("127.0.0.1", refused.at("/by/address").asText());
        assertEquals(2, log("?limit=2").size());
        harness.post("/v1/clock/advance", "{\"by\":\"1h\"}");
        harness.post("/v1/machines/db-1/freeze", "");
        assertEquals(List.of("local: freeze default/db-1: done"), described(log("?since=30m")));
    }

    @Test
    void theLogIsSearchedAndExported() throws Exception {
        harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
        harness.post("/v1/events/00000000-0000-0000-0000-000000000000/cancel", "");
        harness.post("/v1/clock/advance", "{\"by\":\"1h\"}");
        harness.post("/v1/machines/db-1/freeze", "");
        assertEquals(
                List.of("local: freeze default/db-1: done", "local: restart default/FrontEnd_IN_0: done"),
                described(log("?text=DEFAULT%2F&actor=local")));
        assertEquals(1, log("?outcome=refused").size());
        assertEquals(List.of("local: restart default/FrontEnd_IN_0: done"), described(log("?until=30m&text=in_0")));
        assertEquals(List.of(), log("?text=in_0&outcome=refused"));
        assertEquals(
                log("?text=no%20open%20event").get(0), log("?outcome=refused").get(0), "the error message is searched");
        assertEquals(400, harness.get("/v1/audit?outcome=fine").status());
        String csv = harness.get("/v1/audit?format=csv&text=freeze").response().body();
        assertTrue(csv.startsWith("page,at,byKind,byName,byAddress,request,outcome,problem,reason\r\n"), csv);
        assertTrue(csv.endsWith(",person,local,127.0.0.1,freeze default/db-1,done,,\r\n"), csv);
        String lines = harness.get("/v1/audit?format=jsonl&limit=2").response().body();
        assertEquals(2, lines.lines().count());
        assertTrue(lines.lines().allMatch(line -> line.startsWith("{\"page\":")), lines);
    }

    @Test
    void auditEntriesDescribeWebhooksPoliciesAndTests() throws Exception {
        harness.close();
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            harness = new ControlHarness(folder, Map.of("notifications.allowed-targets", "127.0.0.0/8"));
            String secret = "whsec_" + "c2VjcmV0".repeat(4);
            String hook = "{\"name\":\"ops\",\"url\":\"%s?key=hidden\",\"secret\":\"%s\"}";
            assertEquals(
                    200,
                    harness.post("/v1/webhooks", hook.formatted(receiver.url(), secret))
                            .status());
            harness.post("/v1/webhooks/ops/test", "");
            harness.post("/v1/policies", "{\"group\":\"web\",\"notice\":\"20m\",\"approval\":\"all\"}");
            harness.post("/v1/webhooks/nobody/test", "");
            await("local: POST /v1/webhooks/nobody/test: refused");
            harness.delete("/v1/webhooks/ops");
            List<String> described = described(log("?order=oldest"));
            assertEquals(
                    List.of(
                            "local: add webhook ops of all tenants to " + receiver.url() + ": done",
                            "local: test webhook ops of all tenants: done",
                            "local: set policy of group default/web: notice 20m, approval all: done",
                            "local: POST /v1/webhooks/nobody/test: refused",
                            "local: remove webhook ops of all tenants: done"),
                    described.subList(1, described.size()));
            String whole = log("").toString();
            assertFalse(whole.contains("hidden") || whole.contains(secret), whole);
        }
    }

    @Test
    void aRefusalRepeatsLittleOfWhatWasSent() throws Exception {
        Reply refused = harness.post("/v1/machines/db-1/restart", "{\"notice\":\"" + "x".repeat(1_000_000) + "\"}");
        assertEquals(400, refused.status());
        assertTrue(refused.error().startsWith("notice must be a duration"), refused.error());
        assertTrue(refused.error().endsWith("xxx…'"), refused.error());
        assertTrue(refused.error().length() < 500, refused.error());
        await("local: POST /v1/machines/db-1/restart: refused");
        assertEquals(refused.error(), log("").get(0).path("reason").asText());
    }

    @Test
    void refusalsAreKeptOverARestart() throws Exception {
        String eyes = token("{\"name\":\"eyes\",\"role\":\"viewer\"}");
        harness.ask("POST", "/v1/machines/FrontEnd_IN_1/restart", "", eyes, Map.of());
        await("eyes: POST /v1/machines/FrontEnd_IN_1/restart: refused");
        List<JsonNode> before = log("");
        harness.close();
        harness = new ControlHarness(folder, Map.of());
        assertEquals(before, log(""));
        assertTrue(verify("").path("intact").asBoolean());
    }

    @Test
    void aRepeatedRequestIsOneDeed() throws Exception {
        for (int i = 0; i < 3; i++) {
            harness.ask("POST", "/v1/machines/db-1/restart", "", harness.token(), Map.of("Idempotency-Key", "k"));
        }
        assertEquals(
                1,
                described(log("")).stream().filter(l -> l.contains("restart")).count());
    }

    @Test
    void anyNumberOfDenialsTakesLittleRoom() throws Exception {
        String eyes = token("{\"name\":\"eyes\",\"role\":\"viewer\"}");
        for (int i = 0; i < 300; i++) {
            assertEquals(
                    403,
                    harness.ask("POST", "/v1/clock/advance", "{}", eyes, Map.of())
                            .status());
        }
        harness.post("/v1/clock/advance", "{\"by\":\"10m\"}");
        harness.ask("POST", "/v1/clock/set", "{}", eyes, Map.of());
        await("eyes: POST /v1/clock/set: refused");
        List<JsonNode> lines = log("?actor=eyes");
        assertEquals(201, lines.size());
        assertTrue(
                lines.get(0).path("reason").asText().endsWith("(100 earlier refusals were not recorded)"),
                lines.get(0).toString());
    }

    @Test
    void anUntouchedLogIsIntactAndItsHeadIsRemembered() throws Exception {
        JsonNode fresh = verify("");
        assertTrue(fresh.path("intact").asBoolean());
        String noted = fresh.path("head").asText();
        harness.post("/v1/machines/db-1/restart", "");
        harness.close();
        harness = new ControlHarness(folder, Map.of());
        JsonNode later = verify("?head=" + noted);
        assertTrue(later.path("intact").asBoolean(), later.toString());
        assertEquals(2, later.path("pages").asInt());
        assertEquals(1, later.path("firstPage").asInt());
        assertEquals(2, later.path("lastPage").asInt());
        assertFalse(noted.equals(later.path("head").asText()));
        assertFalse(verify("?head=" + "ab".repeat(32)).path("intact").asBoolean());
        assertEquals(400, harness.get("/v1/audit/verify?head=12").status());
    }

    private JsonNode verify(String query) throws Exception {
        Reply reply = harness.get("/v1/audit/verify" + query);
        assertEquals(200, reply.status(), reply.error());
        return reply.json();
    }

    @Test
    void pagesAreDroppedWithTheHistoryAndTheRestIsStillIntact() throws Exception {
        harness.post("/v1/machines/db-1/restart", "");
        harness.post("/v1/clock/advance", "{\"by\":\"100d\"}");
        // The sweep comes when the writer has nothing else to do.
        eventually(
                () -> {
                    harness.post("/v1/clock/advance", "{\"by\":\"2h\"}");
                    JsonNode all = verify("");
                    assertTrue(all.path("intact").asBoolean(), all.toString());
                    return all;
                },
                all -> all.path("firstPage").asInt() >= 3);
        harness.close();
        harness = new ControlHarness(folder, Map.of());
        harness.post("/v1/machines/db-1/freeze", "");
        assertTrue(verify("").path("intact").asBoolean());
    }

    // Changes behind the service's back. The store's own checksum is made right each time, so that only the chain can
    // tell.

    private static final String MIDDLE = AuditPage.key(3);

    private String populate() throws Exception {
        token("{\"name\":\"shop\",\"tenant\":\"shop\"}");
        harness.post("/v1/events/00000000-0000-0000-0000-000000000000/cancel", "");
        harness.post("/v1/machines/db-1/restart", "");
        harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
        JsonNode proof = verify("");
        assertEquals(5, proof.path("pages").asInt());
        return proof.path("head").asText();
    }

    private interface Change {
        void to(SortedMap<String, byte[]> pages);
    }

    /** What the restarted service says after a change. */
    private JsonNode after(Change change, String query) throws Exception {
        harness.close();
        SortedMap<String, byte[]> whole = pages();
        SortedMap<String, byte[]> changed = new TreeMap<>(whole);
        change.to(changed);
        write(changed);
        harness = new ControlHarness(folder, Map.of());
        JsonNode proof = verify(query);
        harness.close();
        write(whole);
        harness = new ControlHarness(folder, Map.of());
        assertTrue(verify("").path("intact").asBoolean(), "what is put right is right again");
        return proof;
    }

    private void isFoundAt(String place, JsonNode proof) {
        assertFalse(proof.path("intact").asBoolean(), proof.toString());
        assertEquals(place, proof.path("changedRecord").asText(), proof.toString());
    }

    @Test
    void aChangedByteIsFoundInWhateverPartOfAPageItIs() throws Exception {
        populate();
        String text = page(MIDDLE);
        List<String> parts = List.of(
                "{\"format",
                "1,\"num",
                "number",
                "3,\"commit",
                "commit",
                "\"at\":\"2",
                "Z\",\"before",
                "before\":\"",
                "deeds",
                "kind",
                "PERSON",
                "name\":\"l",
                "127",
                "asked",
                "cancel",
                "problem",
                "UNKNOWN",
                "reason",
                "there is",
                "}]}",
                "\n");
        for (String part : parts) {
            assertTrue(text.contains(part), part + " in " + text);
            int at = text.indexOf(part) + part.length() - 1;
            isFoundAt(MIDDLE, after(flip(MIDDLE, at), ""));
        }
        int length = text.getBytes(UTF_8).length;
        isFoundAt(MIDDLE, after(flip(MIDDLE, length - 1), ""));
        isFoundAt(MIDDLE, after(flip(MIDDLE, length - 64), ""));
        isFoundAt(AuditPage.key(1), after(flip(AuditPage.key(1), 40), ""));
        isFoundAt(AuditPage.key(5), after(flip(AuditPage.key(5), 40), ""));
    }

    @Test
    void everyByteOfAPageCounts() throws Exception {
        populate();
        for (String key : List.of(MIDDLE, AuditPage.key(5))) {
            byte[] whole = pages().get(key);
            for (int position = 0; position < whole.length; position++) {
                byte[] changed = whole.clone();
                changed[position] ^= 1;
                overwrite(key, changed);
                isFoundAt(key, verify(""));
            }
            overwrite(key, whole);
            assertTrue(verify("").path("intact").asBoolean());
        }
    }

    /** While the service runs. */
    private void overwrite(String key, byte[] value) throws SQLException {
        try (Connection file = file();
                PreparedStatement one = file.prepareStatement("UPDATE record SET value = ?, crc = ? WHERE key = ?")) {
            one.setBytes(1, value);
            one.setLong(2, checksum(key, value));
            one.setString(3, key);
            assertEquals(1, one.executeUpdate());
        }
    }

    @Test
    void aPageThatGrowsShrinksOrIsSpeltOtherwiseIsFound() throws Exception {
        populate();
        List<UnaryOperator<String>> spellings = List.of(
                t -> t.replace("{\"format\"", "{ \"format\""),
                t -> t.replace("\n", " \n"),
                t -> t + "\n",
                t -> t.substring(0, t.length() - 1),
                t -> t.substring(1),
                t -> t.substring(0, t.length() - 64)
                        + t.substring(t.length() - 64).toUpperCase(Locale.ROOT),
                t -> "");
        for (UnaryOperator<String> spelling : spellings) {
            isFoundAt(
                    MIDDLE,
                    after(
                            pages -> pages.computeIfPresent(
                                    MIDDLE, (key, value) -> spelling.apply(new String(value, UTF_8))
                                            .getBytes(UTF_8)),
                            ""));
        }
    }

    @Test
    void missingSwappedAndForeignPagesAreFound() throws Exception {
        String head = populate();
        isFoundAt(AuditPage.key(4), after(pages -> pages.remove(MIDDLE), ""));
        isFoundAt(AuditPage.key(2), after(pages -> pages.remove(AuditPage.key(1)), ""));
        isFoundAt(
                MIDDLE,
                after(
                        pages -> {
                            byte[] third = pages.get(MIDDLE);
                            pages.put(MIDDLE, pages.get(AuditPage.key(4)));
                            pages.put(AuditPage.key(4), third);
                        },
                        ""));
        isFoundAt(AuditPage.key(6), after(pages -> pages.put(AuditPage.key(6), pages.get(AuditPage.key(5))), ""));
        isFoundAt("audit/extra", after(pages -> pages.put("audit/extra", new byte[] {1}), ""));
        // The end can only be missed by who remembers it.
        isFoundAt(AuditPage.key(5), after(pages -> pages.remove(AuditPage.key(5)), "?head=" + head));
    }

    @Test
    void theRunningServiceMissesWhatItWrote() throws Exception {
        populate();
        SortedMap<String, byte[]> pages = pages();
        pages.remove(AuditPage.key(5));
        write(pages);
        isFoundAt(AuditPage.key(5), verify(""));
    }

    private static Change flip(String key, int position) {
        return pages -> {
            byte[] value = pages.get(key).clone();
            value[position] ^= 1;
            pages.put(key, value);
        };
    }

    private String page(String key) throws SQLException {
        return new String(pages().get(key), UTF_8);
    }

    private Connection file() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:sqlite:" + folder.resolve("data").resolve("forewarn.db"));
    }

    private SortedMap<String, byte[]> pages() throws SQLException {
        SortedMap<String, byte[]> pages = new TreeMap<>();
        try (Connection file = file();
                PreparedStatement all =
                        file.prepareStatement("SELECT key, value FROM record WHERE key LIKE 'audit/%'");
                ResultSet rows = all.executeQuery()) {
            while (rows.next()) {
                pages.put(rows.getString(1), rows.getBytes(2));
            }
        }
        return pages;
    }

    private void write(SortedMap<String, byte[]> pages) throws SQLException {
        try (Connection file = file();
                PreparedStatement none = file.prepareStatement("DELETE FROM record WHERE key LIKE 'audit/%'");
                PreparedStatement one =
                        file.prepareStatement("INSERT INTO record (key, value, crc) VALUES (?, ?, ?)")) {
            file.setAutoCommit(false);
            none.executeUpdate();
            for (Map.Entry<String, byte[]> page : pages.entrySet()) {
                one.setString(1, page.getKey());
                one.setBytes(2, page.getValue());
                one.setLong(3, checksum(page.getKey(), page.getValue()));
                one.executeUpdate();
            }
            file.commit();
        }
    }

    private static long checksum(String key, byte[] value) {
        CRC32C crc = new CRC32C();
        crc.update(key.getBytes(UTF_8));
        crc.update(0);
        crc.update(value);
        return crc.getValue();
    }
}
