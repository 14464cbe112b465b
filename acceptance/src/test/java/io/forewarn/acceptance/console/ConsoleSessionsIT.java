package io.forewarn.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.forewarn.acceptance.console.ConsoleBrowser.button;
import static io.forewarn.acceptance.console.ConsoleBrowser.link;
import static io.forewarn.acceptance.console.ConsoleBrowser.signIn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in, what each sees, and how a session ends. */
final class ConsoleSessionsIT {
    @TempDir
    private static Path folder;

    private static ConsoleServer server;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void open() {
        browser = new ConsoleBrowser();
        server = new ConsoleServer(folder);
        server.ask("PUT", "/v1/fleet", """
                machines:
                  - {name: shop-1, tenant: shop}
                  - {name: bank-1, tenant: bank}
                """);
        server.post("/v1/machines/shop%2Fshop-1/restart", "");
        server.post("/v1/machines/bank%2Fbank-1/restart", "");
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

    @Test
    void aLinkSignsInOnceAndLeavesTheAddressBar() {
        String once = server.link("/fleet");
        Page page = browser.window();
        page.navigate(once);
        assertThat(page.locator("header h1")).hasText("Fleet");
        assertFalse(page.url().contains("sign-in"), page.url());
        assertFalse(((String) page.evaluate("document.cookie")).contains("forewarn"), "scripts cannot read the cookie");
        Page thief = browser.window();
        thief.navigate(once);
        assertThat(thief.locator("[role=alert]")).containsText("'forewarn console' makes a new one");
    }

    @Test
    void aRevokedTokenEndsTheSessionWithinASecond() {
        Page page = browser.window();
        signIn(page, server, server.token("leaver", "operator", "*"));
        assertThat(page.locator(".live")).isVisible();
        server.ask("DELETE", "/v1/tokens/leaver", "");
        // The stream ends, the page asks who it is, and shows the form.
        assertThat(page.locator("[role=alert]")).containsText("The session has ended");
        assertThat(page.getByLabel("Token")).isVisible();
        assertEquals(0, page.locator("tbody").count(), "nothing of the page is left");
    }

    @Test
    void aWrongTokenIsRefusedInTheWordsOfTheApi() {
        Page page = browser.window();
        page.navigate(server.url() + "/console/");
        page.getByLabel("Token").fill("fw_wrong");
        button(page, "Sign in").click();
        assertThat(page.locator("[role=alert]")).containsText("invalid or expired token");
    }

    @Test
    void anOwnerSeesItsTenantAndNoOther() {
        Page page = browser.window();
        signIn(page, server, server.token("shop-owner", "owner", "shop"));
        assertThat(page.locator("tbody")).containsText("shop-1");
        assertThat(page.locator("tbody")).not().containsText("bank-1");
        assertThat(link(page, "Audit")).hasCount(0);
        page.navigate(server.url() + "/console/fleet?table=1");
        assertThat(page.locator("tbody tr")).hasCount(1);
        page.navigate(server.url() + "/console/machines/bank/bank-1");
        assertThat(page.locator("[role=alert]")).containsText("there is no machine bank/bank-1");
        page.navigate(server.url() + "/console/audit");
        assertThat(page.locator("[role=alert]")).containsText("this needs");
        page.navigate(server.url() + "/console/rollouts");
        assertThat(page.locator(".empty")).containsText("There are no rollouts");
        assertThat(link(page, "Plan a rollout")).hasCount(0);
    }

    @Test
    void aViewerGetsNoButtons() {
        Page page = browser.window();
        signIn(page, server, server.token("looker", "viewer", "*"));
        assertThat(page.locator("tbody tr").first()).isVisible();
        assertThat(page.locator("tbody button")).hasCount(0);
        assertThat(page.locator("fw-clock-bar button")).hasCount(0);
        assertThat(link(page, "Notifications")).hasCount(0);
        page.navigate(server.url() + "/console/machines/shop/shop-1");
        assertThat(page.locator(".facts")).isVisible();
        assertThat(button(page, "Restart…")).hasCount(0);
        Locator user = page.locator("details.user");
        user.locator("summary").click();
        button(page, "Sign out").click();
        assertThat(page.getByLabel("Token")).isVisible();
        page.reload();
        assertThat(page.getByLabel("Token")).isVisible();
    }

    @Test
    void anAddressOpensTheSameViewAfterSignIn() {
        Page page = browser.window();
        page.navigate(server.url() + "/console/fleet?table=1&q=tenant%3Ashop");
        page.getByLabel("Token").fill(server.token("late", "viewer", "*"));
        button(page, "Sign in").click();
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody")).containsText("shop-1");
    }
}
