package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code serve} prints, pasted as a newcomer does. */
final class FirstStepsIT {
    @TempDir
    private Path folder;

    @Test
    void thePrintedLinesAnnounceApproveAndStartARestart() throws Exception {
        Program program = new Program(folder);
        try (ServerProcess serverProcess = new ServerProcess(program, "--set", "driver.simulated.reboot=2s")) {
            List<String> lines = serverProcess
                    .said()
                    .out()
                    .lines()
                    .filter(l -> l.startsWith("  "))
                    .map(String::strip)
                    .toList();
            assertEquals(3, lines.size(), serverProcess.said().out());
            String ask = lines.get(0);
            assertEquals(
                    "{\"DocumentIncarnation\":1,\"Events\":[]}",
                    program.shell(ask).ended(0).out());
            String restart = program.shell(lines.get(1)).ended(0).out();
            assertTrue(restart.contains("reboot of FrontEnd_IN_0"), restart);
            String scheduled = program.shell(ask).ended(0).out();
            assertTrue(scheduled.contains("\"EventStatus\":\"Scheduled\""), scheduled);
            assertEquals("", program.shell(lines.get(2)).ended(0).out());
            String started = program.shell(ask).ended(0).out();
            assertTrue(started.contains("\"EventStatus\":\"Started\""), started);
            String id = restart.substring(0, 36);
            program.with("FOREWARN_URL", serverProcess.url());
            for (int i = 0;
                    i < 60
                            && program.run("event", "list", "--json")
                                    .ended(0)
                                    .out()
                                    .contains(id);
                    i++) {
                // Asking takes a while by itself.
            }
            assertEquals(
                    "{\"DocumentIncarnation\":4,\"Events\":[]}",
                    program.shell(ask).ended(0).out());
            assertTrue(program.run("event", "show", id).ended(0).out().contains("completed"));
            assertTrue(
                    serverProcess.said().err().contains("what=started-by-approval"),
                    serverProcess.said().err());
        }
    }
}
