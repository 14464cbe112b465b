package io.forewarn.acceptance.control;

import static io.forewarn.acceptance.control.PrintedPage.assertContains;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what {@code docs/rollouts.md} prints, block by block, and looks at what each says. */
// Takes more than 20 s: the page has dozens of commands, and each starts a process.
final class RolloutPageIT {
    private static final PrintedPage PAGE = new PrintedPage(Path.of("../docs/rollouts.md"));

    @TempDir
    private Path folder;

    @Test
    void everyExampleWorksAsPrinted() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        try (ServerProcess serverProcess = new ServerProcess(program, "--clock", "manual", "--profile", "test")) {
            List<String> outputs = PAGE.run(program, serverProcess, 13);
            assertContains(
                    outputs.get(0),
                    "\nweb#0 ",
                    "·",
                    "over by",
                    "no machine runs on host host-9",
                    "Left out: host-4 is excluded",
                    "refused, as it should be");
            assertContains(
                    outputs.get(1), "update domains 0 and 3", "refused, as it should be", "(evacuation)", "done");
            assertContains(outputs.get(2), "host-3", "1 active", "2/2", "done");
            assertContains(
                    outputs.get(3),
                    "Too late: web#2",
                    "3 of 5 units cannot start by 2040-01-03T22:00:00Z",
                    "refused, as it should be",
                    "2040-01-05T21:00:00Z",
                    "late units wait for the hours of the rollout",
                    "aborted");
            assertContains(outputs.get(4), "2040-01-0", "daily 22:00 2h Europe/Berlin", "aborted", "night removed");
            assertContains(
                    outputs.get(5),
                    "default/web postponed it",
                    "the rollout was paused",
                    "5 units moved since the first plan");
            assertContains(outputs.get(6), "host-3 failed", "halted", "1/1  0 active, 0 failed, done");
            assertContains(
                    outputs.get(7),
                    "1 failed, running",
                    "FrontEnd_IN_2 of another update domain is down",
                    "7/8  0 active, 1 failed, done",
                    "done but for one");
            assertContains(outputs.get(8), "self-service until", "2040-01-08T12:00:00Z", "batch#1");
            assertContains(outputs.get(9), "reboot of FrontEnd_IN_0", "scheduled", "started", "aborted");
            assertContains(outputs.get(10), "rehearsal", "started-by-time", "completed");
            assertContains(outputs.get(11), "FrontEnd_IN_1", "BackEnd_IN_1", "scheduled");
            assertContains(
                    outputs.get(12),
                    "rollout room-practice is not over and works on",
                    "refused, as it should be",
                    "Blocked:");
        }
    }
}
