package io.forewarn.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.forewarn.acceptance.console.ConsoleBrowser.button;
import static io.forewarn.acceptance.console.ConsoleBrowser.link;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does all day, each from the page Now and with at most three clicks. */
final class ConsoleTasksIT {
    private static final int MOST_CLICKS = 3;

    @TempDir
    private Path folder;

    private ConsoleServer server;
    private ConsoleBrowser browser;
    private Page page;
    private int clicks;

    @BeforeEach
    void open() {
        browser = new ConsoleBrowser();
        server = new ConsoleServer(folder);
        server.poll(0);
        page = browser.signedIn(server, "/");
    }

    @AfterEach
    void close() {
        browser.mustNotHaveComplained();
        server.close();
        browser.close();
    }

    private void click(Locator what) {
        what.first().click();
        clicks++;
    }

    private void confirm(String button) {
        click(page.locator("dialog[open] button.primary, dialog[open] button.danger")
                .filter(new Locator.FilterOptions().setHasText(button)));
        assertThat(page.locator("dialog[open]")).hasCount(0);
    }

    /** Back to where the next task begins. */
    private void taskIsDone(String task) throws Exception {
        assertTrue(clicks <= MOST_CLICKS, task + " took " + clicks + " clicks");
        String listed = Files.readString(InstalledTools.project().resolve("docs/console.md"));
        assertTrue(
                listed.contains("| " + task + " | " + clicks + " |"),
                task + " takes " + clicks + " clicks: docs/console.md");
        clicks = 0;
        link(page, "Forewarn").click();
    }

    @Test
    void tenTasksTakeAtMostThreeClicksEach() throws Exception {
        server.post("/v1/machines/FrontEnd_IN_0/restart", "");
        assertThat(page.locator("tbody tr")).hasCount(1);

        click(page.getByLabel("More actions"));
        click(button(page, "Postpone…"));
        assertThat(page.locator("dialog[open]")).containsText("forewarn event postpone");
        // The demo fleet lets nobody postpone: the refusal is the API's sentence, and nothing has changed.
        click(page.locator("dialog[open] button.primary"));
        assertThat(page.locator("dialog[open] [role=alert]")).not().isEmpty();
        page.keyboard().press("Escape");
        taskIsDone("Postpone an event");

        click(button(page, "Approve"));
        assertThat(page.locator("dialog[open]")).containsText("Starts now instead of");
        assertThat(page.locator("dialog[open]")).containsText("1 machine of web");
        confirm("Approve");
        assertThat(page.locator("tbody tr").first()).containsText("Running");
        taskIsDone("Approve an event");

        server.advance("90s");
        server.post("/v1/machines/db-1/restart", "");
        assertThat(page.locator("tbody tr")).containsText("db-1");
        click(page.getByLabel("More actions"));
        click(button(page, "Cancel…"));
        assertThat(page.locator("dialog[open]")).containsText("does not happen");
        page.getByLabel("Reason").fill("don't <b>now</b>");
        assertThat(page.locator("dialog[open] code")).containsText(" --reason 'don'\\''t <b>now</b>'");
        confirm("Cancel");
        assertThat(page.locator(".empty")).containsText("Nothing is planned");
        assertEquals(
                "don't <b>now</b>",
                server.ask("GET", "/v1/history?kinds=cancelled", "")
                        .at("/history/0/reason")
                        .asText());
        taskIsDone("Cancel an event");

        server.post("/v1/machines/db-1/restart", "");
        click(page.locator("tbody a .state"));
        assertThat(page.locator("main")).containsText("seenByAll");
        taskIsDone("See the reasons for an event's dates");

        click(link(page, "db-1"));
        click(page.locator("#tab-document"));
        assertThat(page.locator("pre")).containsText("\"EventType\": \"Reboot\"");
        taskIsDone("See what a machine reads");

        server.post("/v1/rollouts", "{\"name\":\"os-1\",\"type\":\"reboot\",\"groups\":[\"web\"]}");
        click(link(page, "os-1"));
        click(button(page, "Pause"));
        assertThat(page.locator("dialog[open]")).containsText("Nothing new is scheduled");
        confirm("Pause");
        assertThat(page.locator(".headline")).containsText("Paused");
        taskIsDone("Pause a rollout");

        click(link(page, "os-1"));
        click(button(page, "Resume"));
        confirm("Resume");
        assertThat(page.locator(".headline")).containsText("Running");
        taskIsDone("Resume a rollout");

        click(link(page, "os-1"));
        click(button(page, "Abort…"));
        confirm("Abort");
        assertThat(page.locator(".headline")).containsText("Aborted");
        taskIsDone("Abort a rollout");

        click(link(page, "Silent"));
        click(button(page, "With those that never polled"));
        assertThat(page.locator("tbody")).containsText("batch_0");
        taskIsDone("Find machines that will not see what is coming");

        click(link(page, "Reports"));
        assertThat(page.locator("main")).containsText("warned");
        taskIsDone("See whether everyone was warned");

        click(link(page, "Audit"));
        click(button(page, "Verify"));
        assertThat(page.locator("[role=status]").last()).containsText("Unchanged");
        taskIsDone("Verify the audit log");
    }

    @Test
    void aRolloutIsPlannedStartedWatchedAndPausedWithThePageAlone() {
        link(page, "Rollouts").click();
        link(page, "Plan a rollout").click();
        page.locator("input[name=name]").fill("os-nov");
        page.locator("input[name=names]").fill("nothing-of-that-name");
        assertThat(page.locator("[role=alert]")).containsText("nothing-of-that-name");
        page.locator("input[name=names]").fill("web");
        page.getByText("How much at once").click();
        page.locator("input[name=recovery]").fill("5m");
        assertThat(page.locator("main")).containsText("default/web#4");
        assertThat(page.locator(".command code"))
                .hasText("forewarn rollout start os-nov --type reboot --groups web --recovery 5m");
        assertTrue(page.url().contains("recovery=5m"), "the view has an address: " + page.url());
        button(page, "Start the rollout…").click();
        page.locator("dialog[open] button.primary").click();
        assertThat(page.locator("header h1")).hasText("os-nov");
        assertThat(page.locator("main")).containsText("Next units");

        button(page, "+15m").click();
        assertThat(page.locator("main")).containsText("Running");
        assertThat(page.locator("tbody").first()).containsText("FrontEnd_IN_0");
        button(page, "+1m").click();
        button(page, "+1m").click();
        assertThat(page.locator(".numbers")).containsText("1done");
        server.poll(0);
        button(page, "+15m").click();
        assertThat(page.locator("main")).containsText("default/web#1");
        button(page, "Pause").click();
        page.locator("dialog[open] button.primary").click();
        assertThat(page.locator(".headline")).containsText("Paused");
        assertEquals(
                "paused",
                server.ask("GET", "/v1/rollouts/os-nov", "").path("status").asText());
    }

    @Test
    void aMachineIsRestartedRedeployedFrozenAndRehearsedFromItsPage() {
        for (String action : new String[] {"Restart", "Redeploy", "Freeze", "Rehearse"}) {
            page.navigate(server.url() + "/console/machines/default/batch_0");
            button(page, action + "…").click();
            page.locator("dialog[open] input[name=description]").fill("kernel <b>5.1</b>");
            assertThat(page.locator("dialog[open] code")).containsText("--description 'kernel <b>5.1</b>'");
            page.locator("dialog[open] button.primary").click();
            assertThat(page.locator("dialog[open]")).hasCount(0);
            assertThat(page.locator("tbody tr")).hasCount(1);
            String event =
                    server.ask("GET", "/v1/events", "").at("/events/0/id").asText();
            server.post("/v1/events/" + event + "/cancel", "");
            assertThat(page.locator(".empty")).containsText("Nothing is planned for this machine");
        }
    }

    @Test
    void theClockGoesToWhatIsDueNext() {
        server.post("/v1/machines/db-1/restart", "");
        Locator next = page.locator("fw-clock-bar button.next");
        assertThat(next).containsText("db-1 starts");
        next.click();
        assertThat(page.locator("tbody tr")).containsText("Running");
    }
}
