package io.forewarn.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.forewarn.acceptance.console.ConsoleBrowser.button;
import static io.forewarn.acceptance.console.ConsoleBrowser.link;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The maintenance night of docs/maintenance-night.md, with the page alone. */
final class ConsoleNightIT {
    private static final int MACHINES = 200;
    /** A time of day, a number of days, or minutes and seconds. */
    private static final Pattern HOW_LONG = Pattern.compile("\\d+:\\d\\d|\\d+ d \\d+ h");

    @TempDir
    private Path folder;

    private ConsoleServer server;
    private ConsoleBrowser browser;
    private Page page;

    @BeforeEach
    void open() {
        browser = new ConsoleBrowser();
        server = new ConsoleServer(
                folder,
                Map.of(
                        "fleet.file",
                        InstalledTools.project()
                                .resolve("examples/night/fleet.yaml")
                                .toString()));
        page = browser.signedIn(server, "/");
    }

    @AfterEach
    void close() {
        server.close();
        browser.close();
    }

    private void clock(String to, String reads) {
        page.getByLabel("Set the clock to").fill(to);
        button(page, "Set").click();
        assertThat(page.locator("fw-clock-bar .fixed")).hasText(reads + " UTC");
    }

    private void policy(String tenant, String field, String value) {
        link(page, "Policies").click();
        button(page, "Set a policy…").click();
        page.locator("dialog[open] input[name=tenant]").fill(tenant);
        page.locator("dialog[open] input[name=" + field + "]").fill(value);
        confirm();
        assertThat(page.locator("tbody")).containsText(value);
    }

    private void confirm() {
        page.locator("dialog[open] button.primary").click();
        assertThat(page.locator("dialog[open]")).hasCount(0);
    }

    private void pollAll() {
        for (int n = 2; n < MACHINES + 2; n++) {
            server.poll("127.1.0." + n);
        }
    }

    private Locator number(String label) {
        return page.locator(".numbers li")
                .filter(new Locator.FilterOptions()
                        .setHas(page.locator(
                                "span", new Page.LocatorOptions().setHasText(Pattern.compile("^" + label + "$")))))
                .locator("b");
    }

    /** Each says what it waits for, and how long still. */
    private void everyRowSaysWhyAndHowLong(Locator waits) {
        assertThat(waits.first()).isVisible();
        for (String why : waits.allInnerTexts()) {
            assertTrue(HOW_LONG.matcher(why).find(), "how long: " + why);
            assertTrue(why.matches("(?s).*[a-z]{4,}.*"), "why: " + why);
        }
    }

    @Test
    void theNightIsPlannedStartedWatchedPausedAndRetriedWithThePageAlone() {
        clock("2040-01-04T09:00:00Z", "2040-01-04 09:00:00");
        policy("bank", "blackouts", "2040-01-06 18:00..2040-01-09 08:00 Europe/Berlin");
        policy("lab", "ownerPostponements", "1x4h");
        plan();
        postpone();
        pauseAndResume();
        aHostFails();
        end();
        browser.mustNotHaveComplained();
    }

    private void plan() {
        link(page, "Rollouts").click();
        link(page, "Plan a rollout").click();
        page.locator("input[name=name]").fill("os-jan");
        page.locator("select[name=target]").selectOption("hosts");
        page.locator("input[name=names]").fill("*");
        page.locator("input[name=at]").fill("fri 22:00 Europe/Berlin");
        page.locator("input[name=until]").fill("sat 06:00");
        page.locator("input[name=notice]").fill("48h");
        Locator conflicts = page.locator(".attention");
        assertThat(conflicts).containsText("host-25, host-30 cannot start before Mon 9 Jan 08:00");
        assertThat(conflicts).containsText("by the policy of tenant bank");
        assertThat(button(page, "Start the rollout…")).isDisabled();
        assertThat(page.locator("main")).containsText("would see events of two update domains at once");
        button(page, "Late units as soon as they can").click();
        assertThat(conflicts).hasCount(0);
        assertThat(number("units")).hasText("30");
        assertThat(number("machines")).hasText("200");
        assertThat(page.locator(".command code"))
                .hasText("forewarn rollout start os-jan --type reboot --hosts '*' --at 'fri 22:00 Europe/Berlin'"
                        + " --until 'sat 06:00' --late any --notice 48h");
        page.waitForSelector("fw-gantt canvas");
        button(page, "Start the rollout…").click();
        assertThat(page.locator("dialog[open]")).containsText("Reboot of 200 machines in 30 units");
        confirm();
        assertThat(page.locator("header h1")).hasText("os-jan");
        assertThat(number("waiting")).hasText("30");
        assertThat(number("forecast end")).hasText("Mon 9 Jan 10:07:30");
        everyRowSaysWhyAndHowLong(page.locator("table.next td.waits"));
    }

    private void postpone() {
        assertThat(page.locator("fw-clock-bar button.next")).containsText("host-01 of os-jan");
        page.locator("fw-clock-bar button.next").click();
        assertThat(page.locator("fw-clock-bar .fixed")).hasText("2040-01-04 21:00:00 UTC");
        clock("2040-01-05T11:00:00Z", "2040-01-05 11:00:00");
        pollAll();
        link(page, "Now").click();
        assertThat(page.locator("tbody tr").first()).containsText("/");
        everyRowSaysWhyAndHowLong(page.locator("tbody td.waits"));
        page.navigate(server.url() + "/console/machines/lab/batch-0");
        page.locator("tbody a .state").first().click();
        button(page, "Postpone…").click();
        confirm();
        assertThat(page.locator("main")).containsText("Sat 7 Jan");
        page.navigate(server.url() + "/console/rollouts/os-jan");
        assertThat(number("units moved")).hasText("1");
    }

    private void pauseAndResume() {
        clock("fri 22:00 Europe/Berlin", "2040-01-06 21:00:00");
        assertThat(number("running")).hasText("4");
        assertThat(page.locator("main")).containsText("done in about 01:30");
        button(page, "+1m").click();
        button(page, "+1m").click();
        assertThat(number("done")).hasText("4");
        clock("2040-01-06T21:10:00Z", "2040-01-06 21:10:00");
        button(page, "Pause").click();
        confirm();
        assertThat(page.locator(".headline")).containsText("Paused");
        assertThat(page.locator("table.next td.waits").first()).containsText("somebody to resume the rollout");
        clock("2040-01-06T21:50:00Z", "2040-01-06 21:50:00");
        assertThat(number("running")).hasText("0");
        button(page, "Resume").click();
        confirm();
        assertThat(page.locator(".headline")).containsText("Running");
        everyRowSaysWhyAndHowLong(page.locator("table.next td.waits"));
        int moved = Integer.parseInt(number("units moved").innerText());
        assertTrue(moved > 1, "those whose turn has passed have moved: " + moved);
        Object slipped =
                page.evaluate("document.querySelector('fw-gantt').picture.bars.filter(b => b.kind === 'planned')"
                        + ".filter(p => document.querySelector('fw-gantt').picture.bars.some(b => b.kind === 'coming'"
                        + " && b.lane === p.lane && b.from > p.to)).length");
        assertEquals(moved, ((Number) slipped).intValue(), "outlines of the first plan stay under the bars");
    }

    private void aHostFails() {
        server.ask("PUT", "/v1/machines/shop%2Fweb-7?only=existing", "{\"tags\":{\"simulated\":\"fails\"}}");
        clock("2040-01-07T05:00:00Z", "2040-01-07 05:00:00");
        assertThat(page.locator(".headline")).containsText("Halted");
        assertThat(page.locator("p.problem")).containsText("host-08 failed. web-7 is tagged simulated=fails");
        assertThat(page.locator("table").first()).containsText("host-08");
        link(page, "Now").click();
        assertThat(page.locator(".attention")).containsText("host-08 failed");
        page.goBack();
        server.ask("PUT", "/v1/machines/shop%2Fweb-7?only=existing", "{\"tags\":{\"simulated\":\"\"}}");
        button(page, "Retry").click();
        page.locator("dialog[open] input[name=notice]").fill("20m");
        assertThat(page.locator("dialog[open] code")).hasText("forewarn rollout resume os-jan --retry --notice 20m");
        confirm();
        assertThat(page.locator(".headline")).containsText("Running");
        assertThat(page.locator("table.next")).containsText("it failed and is retried");
        assertThat(page.locator("table.next")).containsText("a blackout until Mon 9 Jan 08:00");
        everyRowSaysWhyAndHowLong(page.locator("table.next td.waits"));
    }

    private void end() {
        clock("2040-01-09T11:00:00Z", "2040-01-09 11:00:00");
        assertThat(page.locator(".headline")).containsText("Done");
        assertThat(number("done")).hasText("30");
        assertThat(number("waiting")).hasText("0");
        assertThat(number("failed")).hasText("0");
        link(page, "Reports").click();
        assertThat(page.locator("main")).containsText("warned");
    }
}
