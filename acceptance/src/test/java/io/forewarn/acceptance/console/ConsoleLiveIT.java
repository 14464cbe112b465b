package io.forewarn.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.forewarn.acceptance.console.ConsoleBrowser.button;

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
}
