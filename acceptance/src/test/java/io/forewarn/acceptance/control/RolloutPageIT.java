package io.forewarn.acceptance.control;

import static io.forewarn.acceptance.control.PrintedPage.tells;

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
            List<String> said = PAGE.run(program, serverProcess, 11);
            tells(
                    said.get(0),
                    "\nweb#0 ",
                    "·",
                    "over by",
                    "no machine runs on host host-9",
                    "refused, as it should be");
            tells(said.get(1), "update domains 0 and 3", "refused, as it should be", "(evacuation)", "done");
            tells(said.get(2), "host-3", "1 active", "2/2", "done");
            tells(said.get(3), "2040-01-0", "daily 22:00 2h Europe/Berlin", "aborted", "night removed");
            tells(said.get(4), "host-3 failed", "halted", "1/1  0 active, 0 failed, done");
            tells(
                    said.get(5),
                    "1 failed, running",
                    "FrontEnd_IN_2 of another update domain is down",
                    "7/8  0 active, 1 failed, done",
                    "done but for one");
            tells(said.get(6), "self-service until", "2040-01-08T12:00:00Z", "batch_1");
            tells(said.get(7), "reboot of FrontEnd_IN_0", "scheduled", "aborted");
            tells(said.get(8), "rehearsal", "started-by-time", "completed");
            tells(said.get(9), "FrontEnd_IN_1", "BackEnd_IN_1", "scheduled");
            tells(
                    said.get(10),
                    "rollout room-practice is not over and works on",
                    "refused, as it should be",
                    "Blocked:");
        }
    }
}
