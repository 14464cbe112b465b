package io.forewarn.acceptance.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real browser, and a person who uses it. */
final class ConsoleBrowser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final int TIMEOUT_MILLIS = 60_000;

    /** Notes how long the main thread was busy with one task. */
    private static final String TASKS = """
            window.tasks = [];
            new PerformanceObserver(list => list.getEntries().forEach(e => window.tasks.push(e.duration)))
                .observe({type: 'longtask', buffered: true});
            """;

    private final Playwright playwright;
    private final Browser browser;
    /** What the browser complained about: errors of scripts, and what the page's policy forbids. */
    private final List<String> complaints = new ArrayList<>();

    ConsoleBrowser() {
        assumeTrue(Files.isExecutable(CHROMIUM), "chromium is not installed (Debian package chromium)");
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(CHROMIUM)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking")));
    }

    /** A window of its own, without the cookies of others. */
    Page window(int width, ColorScheme theme) {
        BrowserContext context = browser.newContext(new NewContextOptions()
                .setViewportSize(width, width < 500 ? 740 : 800)
                .setColorScheme(theme)
                .setLocale("en-GB")
                .setTimezoneId("Europe/Berlin"));
        context.addInitScript(TASKS);
        Page page = context.newPage();
        page.setDefaultTimeout(TIMEOUT_MILLIS);
        page.onPageError(error -> complaints.add(page.url() + ": " + error));
        page.onConsoleMessage(message -> {
            boolean answer = message.text().startsWith("Failed to load resource");
            if (message.type().equals("error") && !answer) {
                complaints.add(page.url() + ": " + message.text());
            }
        });
        return page;
    }

    Page window() {
        return window(1280, ColorScheme.LIGHT);
    }

    /** Signed in as the server's own user. */
    Page signedIn(ConsoleServer server, String path) {
        Page page = window();
        page.navigate(server.link(path));
        page.waitForSelector("main#main");
        return page;
    }

    /** Signed in with a token. */
    static void signIn(Page page, ConsoleServer server, String token) {
        page.navigate(server.url() + "/console/");
        page.getByLabel("Token").fill(token);
        button(page, "Sign in").click();
        page.waitForSelector("main#main");
    }

    static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    static Locator link(Page page, String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** The longest task of the page since it was last asked for, in milliseconds; those below 50 do not count. */
    static long longestTask(Page page) {
        return ((Number) page.evaluate("Math.round(Math.max(0, ...window.tasks.splice(0)))")).longValue();
    }

    void mustNotHaveComplained() {
        assertEquals(List.of(), complaints);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
