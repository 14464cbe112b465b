package io.forewarn.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.forewarn.acceptance.console.ConsoleBrowser.button;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that stay open while the service goes on, restarts, or is large. */
final class ConsoleLiveIT {
    private static final int MACHINES = 100_000;
    private static final int CHANGED = 1_000;
    private static final int AT_ONCE = 50;
    private static final int EVENTS = 10_000;

    @TempDir
    private Path folder;

    private ConsoleServer server;
    private ConsoleBrowser browser;

    @BeforeEach
    void open() {
        browser = new ConsoleBrowser();
        server = new ConsoleServer(folder);
    }

    @AfterEach
    void close() {
        server.close();
        browser.close();
    }

    @Test
    void twoBrowsersSeeEachOthersChanges() {
        Page one = browser.signedIn(server, "/");
        Page other = browser.signedIn(server, "/");
        server.post("/v1/machines/db-1/restart", "");
        assertThat(one.locator("tbody tr")).containsText("db-1");
        assertThat(other.locator("tbody tr")).containsText("Scheduled");
        button(one, "Approve").click();
        one.locator("dialog[open] button.primary").click();
        assertThat(other.locator("tbody tr")).containsText("Running");
        button(other, "+15m").click();
        assertThat(one.locator(".empty")).containsText("Nothing is planned");
        assertThat(one.locator("fw-clock-bar .fixed"))
                .hasText(other.locator("fw-clock-bar .fixed").innerText());
        browser.mustNotHaveComplained();
    }

    @Test
    void aPageSaysThatItLostItsServerAndCatchesUpAfterARestart() {
        Page page = browser.signedIn(server, "/");
        server.post("/v1/machines/db-1/restart", "");
        assertThat(page.locator("tbody tr")).containsText("db-1");
        server.stop();
        assertThat(page.locator(".lost")).containsText("reconnecting");
        assertThat(page.locator("main.stale")).containsText("db-1");
        server.startAgain();
        server.post("/v1/machines/batch_0/restart", "");
        assertThat(page.locator(".live")).isVisible();
        assertThat(page.locator("tbody tr")).hasCount(2);
        assertThat(page.locator("tbody")).containsText("batch_0");
    }

    @Test
    void aHundredThousandMachinesAreShownAndAThousandChange() {
        String groups = IntStream.range(0, MACHINES / 100)
                .mapToObj(g ->
                        "{\"group\":{\"name\":\"g%04d\",\"kind\":\"availability-set\",\"update-domains\":10,\"fault-domains\":2}}"
                                .formatted(g))
                .collect(Collectors.joining("\n"));
        String machines = IntStream.range(0, MACHINES)
                .mapToObj(m -> "{\"machine\":{\"name\":\"m%06d\",\"group\":\"g%04d\",\"host\":\"h%05d\"}}"
                        .formatted(m, m / 100, m / 20))
                .collect(Collectors.joining("\n"));
        server.ask("PUT", "/v1/fleet", groups + "\n" + machines + "\n");
        Page page = browser.signedIn(server, "/");
        ConsoleBrowser.link(page, "Fleet").click();
        assertThat(page.locator(".numbers")).containsText("100\u202f009");
        assertThat(page.locator("fw-fleet .bar")).not().containsText("machines read");
        for (int first = 0; first < CHANGED; first += AT_ONCE) {
            String names = IntStream.range(first, first + AT_ONCE)
                    .mapToObj(i -> "\"m%06d\"".formatted(i * 100))
                    .collect(Collectors.joining(","));
            server.post("/v1/actions/freeze", "{\"machines\":[" + names + "]}");
        }
        assertThat(page.locator(".numbers")).containsText("1\u202f000");
        browser.mustNotHaveComplained();
    }

    @Test
    void tenThousandEventsAreOnTheTimeline() {
        int domains = 5;
        String groups = IntStream.range(0, EVENTS / domains)
                .mapToObj(g ->
                        "{\"group\":{\"name\":\"g%04d\",\"kind\":\"availability-set\",\"update-domains\":%d,\"fault-domains\":2}}"
                                .formatted(g, domains))
                .collect(Collectors.joining("\n"));
        String machines = IntStream.range(0, EVENTS)
                .mapToObj(m ->
                        "{\"machine\":{\"name\":\"m%05d\",\"group\":\"g%04d\",\"update-domain\":%d,\"host\":\"h%03d\"}}"
                                .formatted(m, m / domains, m % domains, m % 500))
                .collect(Collectors.joining("\n"));
        server.ask("PUT", "/v1/fleet", groups + "\n" + machines + "\n");
        server.post("/v1/rollouts", "{\"name\":\"many\",\"type\":\"freeze\",\"groups\":[\"g*\"],\"recovery\":\"1m\"}");
        server.advance("1h");
        Page page = browser.signedIn(server, "/");
        assertEquals(
                EVENTS,
                server.ask("GET", "/v1/rollouts/many", "").path("done").asInt(),
                "units of the rollout that are done");
        page.navigate(server.url() + "/console/timeline");
        page.waitForSelector("fw-gantt canvas");
        assertThat(page.locator(".chart-tools")).containsText("of 2\u202f001");
        Object bars =
                page.evaluate("document.querySelector('fw-gantt').picture.bars.filter(b => b.kind === 'work').length");
        assertTrue(((Number) bars).intValue() >= EVENTS, bars + " bars of work");
        long loading = ConsoleBrowser.longestTask(page);
        page.locator("fw-gantt .chart").hover();
        for (int turn = 0; turn < 20; turn++) {
            page.mouse().wheel(0, turn < 10 ? -120 : 120);
        }
        page.locator("fw-gantt .chart").focus();
        page.keyboard().press("+");
        page.keyboard().press("ArrowLeft");
        page.keyboard().press("PageDown");
        assertThat(page.locator(".chart-tools")).containsText("33 to 64");
        String from = page.evaluate(
                        "encodeURIComponent(new Date(document.querySelector('fw-gantt').from).toISOString())")
                .toString();
        page.waitForURL(url -> url.contains("from=" + from));
        String shown = page.evaluate(
                        "JSON.stringify([document.querySelector('fw-gantt').from, document.querySelector('fw-gantt').to])")
                .toString();
        System.out.println("timeline with " + bars + " events: the longest task while it loaded took " + loading
                + " ms, while it was zoomed and moved " + ConsoleBrowser.longestTask(page) + " ms");
        page.reload();
        page.waitForSelector("fw-gantt canvas");
        assertEquals(
                shown,
                page.evaluate(
                        "JSON.stringify([document.querySelector('fw-gantt').from, document.querySelector('fw-gantt').to])"),
                "the address shows the same view again");
        browser.mustNotHaveComplained();
    }
}
