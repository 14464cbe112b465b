package io.forewarn.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every page, in both themes and three widths: readable for everyone, and without a complaint of the browser. */
final class ConsolePagesIT {
    private static final String LONG = "a-name-as-long-as-a-name-may-be-and-longer-than-any-column-here";
    private static final String HOSTILE =
            "<script>document.title='broken'</script><img src=x onerror=alert(1)> \\u202Eright to left \\uD83D\\uDE80";

    private static final Path PICTURES = InstalledTools.project().resolve("docs/console");

    @TempDir
    private static Path folder;

    private static ConsoleServer server;
    private static ConsoleBrowser browser;
    private static String event;

    @BeforeAll
    static void open() {
        browser = new ConsoleBrowser();
        server = new ConsoleServer(folder, Map.of("notifications.allowed-targets", "127.0.0.0/8"));
        for (int machine = 0; machine < 4; machine++) {
            server.poll(machine);
        }
        server.post("/v1/webhooks", "{\"name\":\"ops\",\"url\":\"http://127.0.0.1:9/\"}");
        server.post(
                "/v1/rollouts", "{\"name\":\"os-nov\",\"type\":\"reboot\",\"groups\":[\"web\"],\"recovery\":\"5m\"}");
        server.advance("15m");
        server.advance("90s");
        server.poll(0);
        server.poll(1);
        server.advance("6m");
        server.post("/v1/rollouts", "{\"name\":\"batch-fix\",\"type\":\"freeze\",\"groups\":[\"batch\"]}");
        server.post("/v1/rollouts/batch-fix/pause", "");
        server.post("/v1/policies", "{\"group\":\"batch\",\"blackouts\":[\"2026-12-24 18:00..2026-12-27 06:00 UTC\"]}");
        server.poll(1);
        event = server.post("/v1/machines/db-1/redeploy", "{\"notice\":\"26h\"}")
                .at("/events/0/id")
                .asText();
        if (Boolean.getBoolean("docs.update")) {
            updatePictures();
        }
        server.ask("PUT", "/v1/machines/" + LONG, "{\"host\":\"" + LONG + "\",\"tags\":{\"env\":\"prod\"}}");
        server.post("/v1/machines/" + LONG + "/restart", "{\"notice\":\"2h\"}");
        event = server.post("/v1/machines/BackEnd_IN_1/restart", "{\"description\":\"" + HOSTILE + "\"}")
                .at("/events/0/id")
                .asText();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    /** Each page, with something that must be on it. */
    private static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("/", "Waits for");
        pages.put("/events/" + event, "Why these dates");
        pages.put("/rollouts", "batch-fix");
        pages.put("/rollouts/os-nov", "Next units");
        pages.put("/rollouts/new?name=os-dec&names=batch", "forewarn rollout start os-dec");
        pages.put("/fleet", "never polled");
        pages.put("/fleet?table=1", "FrontEnd_IN_0");
        pages.put("/machines/default/FrontEnd_IN_0", "update domain 0");
        pages.put("/machines/default/FrontEnd_IN_0?tab=polls", "api-version");
        pages.put("/machines/default/FrontEnd_IN_0?tab=document", "DocumentIncarnation");
        pages.put("/silent", "Coming for it");
        pages.put("/timeline", "scroll to zoom");
        pages.put("/timeline?by=host", "scroll to zoom");
        pages.put("/reports", "By group");
        pages.put("/history", "rollout-started");
        pages.put("/audit", "start rollout os-nov");
        pages.put("/policies", "Blackouts");
        pages.put("/notifications", "http://127.0.0.1:9/");
        pages.put("/cluster", "Waiting commands");
        pages.put("/settings", "clock.kind");
        return pages;
    }

    private static void look(Page page, String path, String shows) {
        page.navigate(server.url() + "/console" + path);
        assertThat(page.locator("main")).containsText(shows);
        if (page.locator(".chart").count() > 0) {
            page.waitForSelector(".chart canvas");
        }
    }

    @Test
    void everyPageIsAccessibleInBothThemes() {
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            Page page = browser.window(1280, theme);
            page.navigate(server.link("/"));
            page.waitForSelector("main#main");
            pages().forEach((path, shows) -> {
                look(page, path, shows);
                assertEquals(List.of(), violations(page), path + " in " + theme);
            });
            page.context().close();
        }
        browser.mustNotHaveComplained();
    }

    private static List<String> violations(Page page) {
        return new AxeBuilder(page)
                .analyze().getViolations().stream()
                        .filter(v ->
                                v.getImpact().equals("serious") || v.getImpact().equals("critical"))
                        .map(v -> v.getId() + ": "
                                + v.getNodes().stream()
                                        .map(n -> n.getHtml())
                                        .limit(3)
                                        .collect(Collectors.joining(" ")))
                        .toList();
    }

    private static void mustFit(Page page, String what) {
        Object beyond = page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        assertTrue(((Number) beyond).intValue() <= 0, what + " is wider than the screen by " + beyond);
    }

    /** Under load the pages of these tests were looked at before their streams were open. */
    @Test
    void aPageIsMarkedAsOldOnlyWhenItIsAndStaysReadableThen() {
        Page page = browser.window(360, ColorScheme.LIGHT);
        page.route("**/v1/stream?*", route -> {});
        page.navigate(server.link("/"));
        assertThat(page.locator("main")).containsText("Waits for");
        assertThat(page.locator("header")).containsText("connecting");
        assertThat(page.locator("main.stale")).hasCount(0);
        mustFit(page, "a page that is opened");
        page.clock().setFixedTime(System.currentTimeMillis() + 60_000);
        assertThat(page.locator("main.stale")).containsText("Waits for");
        assertThat(page.locator("header")).containsText("reconnecting");
        mustFit(page, "a page that lost its server");
        assertEquals(List.of(), violations(page));
        page.context().close();
    }

    @Test
    void noPageIsWiderThanTheScreen() {
        for (int width : new int[] {360, 1024, 1920}) {
            Page page = browser.window(width, ColorScheme.LIGHT);
            page.navigate(server.link("/"));
            page.waitForSelector("main#main");
            pages().forEach((path, shows) -> {
                look(page, path, shows);
                mustFit(page, path + " at " + width + " px");
                picture(page, path, width);
            });
            page.context().close();
        }
    }

    /** For somebody to look at. */
    private static void picture(Page page, String path, int width) {
        String all = System.getProperty("console.pictures");
        if (all != null) {
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(Path.of(all, path.replaceAll("\\W+", "-") + "-" + width + ".png")));
        }
    }

    /** The pages as docs/console.md shows them, in its order. */
    private static Map<String, String> pictured() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("now", "/");
        pages.put("event", "/events/" + event);
        pages.put("rollout", "/rollouts/os-nov");
        pages.put("plan", "/rollouts/new?name=os-dec&names=batch&recovery=20m");
        pages.put("rollouts", "/rollouts");
        pages.put("fleet", "/fleet");
        pages.put("machine", "/machines/default/FrontEnd_IN_1");
        pages.put("silent", "/silent?never=1");
        pages.put("timeline", "/timeline?" + around());
        pages.put("reports", "/reports");
        pages.put("history", "/history");
        pages.put("audit", "/audit");
        pages.put("policies", "/policies");
        pages.put("notifications", "/notifications");
        pages.put("cluster", "/cluster");
        pages.put("settings", "/settings");
        return pages;
    }

    /** An hour before now and half an hour after it. */
    private static String around() {
        Instant now =
                Instant.parse(server.ask("GET", "/v1/clock", "").path("now").asText());
        return "from=" + now.minusSeconds(3600) + "&to=" + now.plusSeconds(1800);
    }

    private static void updatePictures() {
        Page page = browser.signedIn(server, "/");
        pictured().forEach((name, path) -> {
            page.navigate(server.url() + "/console" + path);
            page.waitForSelector("main .headline, main table, main .numbers, main .facts, main .chart");
            if (page.locator(".chart").count() > 0) {
                page.waitForSelector(".chart canvas");
            }
            // Where the data of a test is says nothing to a reader.
            page.evaluate(
                    "folder => document.querySelectorAll('dd, td').forEach(e => { if (e.textContent.includes(folder)) e.textContent = 'sqlite:/var/lib/forewarn'; })",
                    folder.toString());
            page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")));
        });
        page.context().close();
    }

    @Test
    void everyPageIsPicturedInTheDocs() throws Exception {
        String docs = Files.readString(InstalledTools.project().resolve("docs/console.md"));
        for (String name : pictured().keySet()) {
            assertTrue(docs.contains("(console/" + name + ".png)"), name);
            assertTrue(Files.exists(PICTURES.resolve(name + ".png")), "run this test with -Ddocs.update=true: " + name);
        }
    }

    @Test
    void everyWaitingRowSaysWhyAndHowLong() {
        Page page = browser.signedIn(server, "/");
        assertThat(page.locator("tbody tr").first()).isVisible();
        for (Locator row : page.locator("tbody tr").all()) {
            String reason = row.locator("td.waits").innerText();
            assertTrue(!reason.isBlank(), row.innerText());
            if (reason.contains("notice")) {
                assertTrue(reason.matches("(?s).*\\((\\d+:)?\\d+:\\d\\d\\).*|.* d \\d+ h.*"), reason);
            }
        }
    }

    @Test
    void markupOfUsersIsShownAsText() {
        Page page = browser.signedIn(server, "/events/" + event);
        assertThat(page.locator("dl")).containsText("<script>document.title='broken'</script>");
        assertEquals(0, page.locator("main img").count());
        assertTrue(!page.title().equals("broken"), page.title());
        browser.mustNotHaveComplained();
    }

    @Test
    void everythingIsFoundByAnyPartOfItsNameWithTheKeyboardAlone() {
        Page page = browser.signedIn(server, "/");
        Locator field = page.getByRole(AriaRole.COMBOBOX);
        Map<String, String> titles = new LinkedHashMap<>();
        titles.put("end_in_0", "FrontEnd_IN_0");
        titles.put("BATCH-", "batch-fix");
        titles.put("longer-than-any", LONG);
        titles.put(event.substring(9, 30), "Event");
        titles.forEach((text, title) -> {
            page.keyboard().press("/");
            assertThat(field).isFocused();
            page.keyboard().type(text);
            page.keyboard().press("Enter");
            assertThat(page.locator("header h1")).hasText(title);
        });
        page.keyboard().press("/");
        page.keyboard().type("front");
        assertThat(page.getByRole(AriaRole.OPTION).first()).containsText("FrontEnd_IN_0");
        assertThat(page.getByRole(AriaRole.OPTION).first()).hasAttribute("aria-selected", "true");
        page.keyboard().press("ArrowDown");
        assertThat(page.getByRole(AriaRole.OPTION).nth(1)).hasAttribute("aria-selected", "true");
        assertEquals(List.of(), violations(page));
        picture(page, "/search", 1280);
        page.keyboard().press("Enter");
        assertThat(page.locator("header h1")).hasText("FrontEnd_IN_1");
        page.keyboard().press("/");
        page.keyboard().type("web");
        page.getByRole(AriaRole.OPTION)
                .filter(new Locator.FilterOptions().setHasText("machines"))
                .click();
        assertThat(page.locator("fw-fleet .bar")).containsText("5 of 10 shown");
        page.keyboard().press("/");
        page.keyboard().type("nothing-of-that-name");
        assertThat(page.locator(".found.none")).containsText("Nothing has nothing-of-that-name in its name.");
        page.keyboard().press("Escape");
        assertThat(page.locator(".found.none")).hasCount(0);
        browser.mustNotHaveComplained();
    }

    @Test
    void theFleetIsSearchedByTag() {
        Page page = browser.signedIn(server, "/fleet?table=1");
        page.getByLabel("Search the fleet").fill("tag:env=prod host:a-name");
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody")).containsText(LONG);
        page.getByLabel("Search the fleet").fill("tag:env=prod FrontEnd");
        assertThat(page.locator("tbody tr")).hasCount(0);
        assertThat(page.locator("fw-fleet .bar")).containsText("0 of");
    }

    @Test
    void anEventShowsItsLifeAndWhatItsMachinesReadInEachApiVersion() {
        Page page = browser.signedIn(server, "/");
        page.locator("tbody tr")
                .filter(new Locator.FilterOptions().setHasText("FrontEnd_IN_1"))
                .locator("a .state")
                .click();
        Locator life = page.locator(".life li");
        assertThat(life.first()).containsText("Scheduled");
        assertThat(life.nth(1)).containsText("Seen");
        assertThat(life.last()).containsText("15m of 15m notice given");
        assertThat(page.locator("pre")).containsText("\"DurationInSeconds\"");
        page.getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName("2017-11-01"))
                .click();
        assertThat(page.locator("pre")).containsText("\"EventType\": \"Reboot\"");
        assertThat(page.locator("pre")).not().containsText("DurationInSeconds");
        assertTrue(page.url().endsWith("version=2017-11-01"), page.url());
        page.keyboard().press("ArrowRight");
        assertThat(page.locator("fw-documents [aria-selected=true]")).isFocused();
        browser.mustNotHaveComplained();
    }

    @Test
    void theAuditLogIsSearchedAndExportedAsItIsShown() throws Exception {
        Page page = browser.signedIn(server, "/audit");
        page.getByLabel("Search the audit log").fill("pause actor:local");
        page.keyboard().press("Enter");
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody")).containsText("pause rollout batch-fix");
        String csv = Files.readString(page.waitForDownload(
                        () -> ConsoleBrowser.link(page, "Export CSV").click())
                .path());
        assertEquals(2, csv.lines().count(), csv);
        assertTrue(csv.contains("pause rollout batch-fix,done"), csv);
        String json = Files.readString(
                page.waitForDownload(() -> ConsoleBrowser.link(page, "JSON").click())
                        .path());
        assertEquals(1, new ObjectMapper().readTree(json).path("audit").size(), json);
        ConsoleBrowser.button(page, "Refused only").click();
        assertThat(page.locator(".empty")).containsText("No request fits this search");
        ConsoleBrowser.button(page, "Verify").click();
        assertThat(page.locator("[role=status]").last()).containsText("the chain is anchored at page 1");
        assertThat(page.locator("[role=status]").last()).containsText("this is the whole log");
        browser.mustNotHaveComplained();
    }

    @Test
    void everyPageOfTheMenuIsReachedByTheKeyboard() {
        Page page = browser.signedIn(server, "/");
        Map<String, String> keys = Map.ofEntries(
                Map.entry("r", "Rollouts"),
                Map.entry("f", "Fleet"),
                Map.entry("s", "Silent machines"),
                Map.entry("t", "Timeline"),
                Map.entry("p", "Notice report"),
                Map.entry("h", "History"),
                Map.entry("a", "Audit"),
                Map.entry("y", "Policies"),
                Map.entry("o", "Notifications"),
                Map.entry("c", "Cluster"),
                Map.entry("e", "Settings"),
                Map.entry("n", "Now"));
        int pressed = 0;
        for (String key : new TreeSet<>(keys.keySet())) {
            page.keyboard().press("g");
            // A browser that is busy passes keys on late.
            page.clock().setFixedTime(System.currentTimeMillis() + 10_000L * ++pressed);
            page.keyboard().press(key);
            assertThat(page.locator("header h1")).hasText(keys.get(key));
        }
        page.keyboard().press("?");
        assertThat(page.locator(".keys")).containsText("Search");
        page.keyboard().press("Escape");
        assertThat(page.locator(".keys")).hasCount(0);
    }
}
