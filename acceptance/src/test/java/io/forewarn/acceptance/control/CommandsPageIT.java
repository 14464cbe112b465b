package io.forewarn.acceptance.control;

import static io.forewarn.acceptance.control.PrintedPage.assertContains;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what {@code docs/commands.md} prints, block by block, and looks at what each says. */
// Takes more than 20 s: the page has dozens of commands, and each starts a process.
final class CommandsPageIT {
    private static final PrintedPage PAGE = new PrintedPage(Path.of("../docs/commands.md"));

    @TempDir
    private Path folder;

    @Test
    void everyExampleWorksAsPrinted() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        try (ServerProcess serverProcess = new ServerProcess(program, "--clock", "manual", "--profile", "test")) {
            List<String> outputs = PAGE.run(program, serverProcess, 6);
            assertContains(
                    outputs.get(0), "2040-01-06T21:00:00Z", "did you mean 'friday'?", "refused, as it should be");
            assertContains(
                    outputs.get(1),
                    "FrontEnd_IN_2",
                    "batch",
                    "no machine matches 'Front-*'",
                    "refused, as it should be");
            assertContains(
                    outputs.get(2),
                    "batch#2,db-1#0",
                    "started host-3-reboot-20400106-2100: 1 unit",
                    "reboot from 2040-01-06T21:15:00Z (host-3-reboot-20400106-2100)",
                    "evacuate first",
                    "started empty-1");
            assertContains(outputs.get(3), "The first 3 are shown", "No machines.", "FrontEnd_IN_2");
            assertContains(outputs.get(4), "exit code 5", "it runs", "it is done", "1/1", "done");
            assertContains(
                    outputs.get(5),
                    "cancelled",
                    "reason: the month-end closing is not done",
                    ", reason: the month-end closing\n");
        }
    }
}
