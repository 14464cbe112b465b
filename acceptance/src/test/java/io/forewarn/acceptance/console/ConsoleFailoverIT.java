package io.forewarn.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.forewarn.acceptance.console.ConsoleBrowser.button;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page;
import io.forewarn.store.etcd.EtcdCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page that stays open while the node that served it goes away. */
final class ConsoleFailoverIT {
    @TempDir
    private Path folder;

    @Test
    void thePageGoesOnAtAnotherNode() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        try (ConsoleBrowser browser = new ConsoleBrowser();
                EtcdCluster etcd = EtcdCluster.start(folder, 1)) {
            Map<String, String> shared = Map.of("store.location", etcd.location(), "cluster.lease", "3s");
            try (ConsoleServer first = new ConsoleServer(folder, shared);
                    ConsoleServer second = new ConsoleServer(folder, shared);
                    NodeProxy proxy = new NodeProxy(first.control())) {
                first.post("/v1/machines/db-1/freeze", "{\"notice\":\"2h\"}");
                Page page = browser.window();
                page.navigate(first.link("/").replace(first.url(), proxy.url()));
                assertThat(page.locator("tbody tr")).containsText("db-1");

                proxy.switchTo(second.control());
                first.stop();
                assertThat(page.locator(".live")).isVisible();
                button(page, "Approve").click();
                page.locator("dialog[open] button.primary").click();
                assertThat(page.locator("tbody tr")).containsText("Running");
                browser.mustNotHaveComplained();
            }
        }
    }
}
