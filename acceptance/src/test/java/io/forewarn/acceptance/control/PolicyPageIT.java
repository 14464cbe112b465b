package io.forewarn.acceptance.control;

import static io.forewarn.acceptance.control.PrintedPage.assertContains;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what {@code docs/policies.md} prints, block by block, and looks at what each says. */
// Takes more than 20 s: the page has dozens of commands, and each starts a process.
final class PolicyPageIT {
    private static final PrintedPage PAGE = new PrintedPage(Path.of("../docs/policies.md"));

    @TempDir
    private Path folder;

    @Test
    void everyExampleWorksAsPrinted() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        try (ServerProcess serverProcess = new ServerProcess(program, "--clock", "manual", "--profile", "test")) {
            List<String> outputs = PAGE.run(program, serverProcess, 9);
            assertContains(outputs.get(0), "notice=30m", "at least 15m", "refused, as it should be");
            assertContains(outputs.get(1), "shown-ahead=1h", "2040-01-06T22:00:00Z", "over by");
            assertContains(
                    outputs.get(2),
                    "'2040-12-24..2040-12-27 UTC', '2041-01-01 18:00..2041-01-02 06:00 Europe/Berlin'",
                    "no maintenance window is open, by the policy of group default/web",
                    "the policy of tenant default",
                    "started-by-approval");
            assertContains(outputs.get(3), "\"ready\":[\"FrontEnd_IN_2\"]", "\"status\":\"started\"", "ready");
            assertContains(outputs.get(4), "started", "auto-approve=false approve-when-all-down=true");
            assertContains(outputs.get(5), "not seen yet by batch_0, by the policy of group default/batch", "started");
            assertContains(outputs.get(6), "\"postponableBy\":\"15m\"", "3h", "refused, as it should be");
            assertContains(outputs.get(7), "user-operations=20", "seen-by-all=true");
            assertContains(outputs.get(8), "recovered");
        }
    }
}
