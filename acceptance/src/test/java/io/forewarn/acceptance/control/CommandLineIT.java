package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.control.Program.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each word of the command line against a real server under the manual clock. */
// Takes more than 20 s: it runs every command, and each starts a process.
final class CommandLineIT {
    @TempDir
    private Path folder;

    private Program program;
    private ServerProcess serverProcess;

    @BeforeEach
    void serve() throws Exception {
        program = new Program(folder);
        serverProcess = new ServerProcess(program, "--clock", "manual", "--profile", "test");
        program.with("FOREWARN_URL", serverProcess.url());
    }

    @AfterEach
    void end() throws Exception {
        serverProcess.close();
    }

    @Test
    void machinesAreSeenAndWorkedOn() throws Exception {
        assertTrue(program.run("status").ended(0).out().contains("9 machines in 3 groups"));
        assertTrue(program.run("vm", "list", "--group", "web").ended(0).out().contains("BackEnd_IN_1"));
        Run unknown =
                program.run("vm", "restart", "FrontEnd_IN_0", "FrontEnd_IN_O0").ended(1);
        assertTrue(unknown.err().contains("did you mean FrontEnd_IN_0?"), unknown.err());
        Run both =
                program.run("vm", "restart", "FrontEnd_IN_0", "db-1", "--json").ended(0);
        assertTrue(both.out().startsWith("{\"events\":[{\"id\":\""), both.out());
        String id = both.out().substring(18, 18 + 36);
        Run again = program.run("vm", "redeploy", "db-1").ended(1);
        assertTrue(again.err().contains("db-1"), again.err());
        Run refused = program.run("vm", "redeploy", "db-1", "--json").ended(1);
        assertTrue(refused.err().contains("\"problem\":\"conflict\""), refused.err());
        assertTrue(program.run("event", "list").ended(0).out().contains(id));
        assertTrue(program.run("event", "approve", id).ended(0).out().contains("started"));
        assertTrue(program.run("vm", "show", "FrontEnd_IN_0").ended(0).out().contains("rebooting"));
        assertTrue(program.run("clock", "advance", "90s").ended(0).out().contains("(manual)"));
        assertTrue(program.run("event", "show", id).ended(0).out().contains("ended: completed"));
        Run history = program.run("history", "--vm", "FrontEnd_IN_0", "--oldest-first")
                .ended(0);
        assertTrue(history.out().indexOf("scheduled") < history.out().indexOf("completed"), history.out());
        assertTrue(program.run("doctor").ended(0).out().contains("No problems found."));
    }

    @Test
    void waitingEndsWithTheEvent() throws Exception {
        Process waiting = program.start(program.command("vm", "fail", "db-1", "--wait"));
        for (int i = 0; i < 60 && !program.said(waiting).err().contains("started"); i++) {
            assertFalse(waiting.waitFor(200, TimeUnit.MILLISECONDS), () -> "ended too early");
        }
        program.run("clock", "advance", "5m").ended(0);
        Run run = program.finish(waiting).ended(0);
        assertTrue(run.err().contains("ended: completed"), run.err());
        assertTrue(program.run("vm", "show", "db-1").ended(0).out().contains("boots          1"));
    }

    @Test
    void aCancelledEventIsNoSuccessForWhoWaits() throws Exception {
        Process waiting = program.start(program.command("vm", "restart", "db-1", "--wait"));
        for (int i = 0; i < 60 && !program.said(waiting).err().contains("scheduled"); i++) {
            assertFalse(waiting.waitFor(200, TimeUnit.MILLISECONDS), () -> "ended too early");
        }
        String id = program.said(waiting).err().substring(0, 36);
        program.run("event", "cancel", id).ended(0);
        assertTrue(program.finish(waiting).ended(1).err().contains("ended: cancelled"));
    }

    @Test
    void theFleetGoesOutAndComesIn() throws Exception {
        String yaml = program.run("fleet", "export").ended(0).out();
        Path file = Files.writeString(folder.resolve("fleet.yaml"), yaml);
        assertEquals(
                "No changes.\n",
                program.run("fleet", "apply", file.toString(), "--prune")
                        .ended(0)
                        .out());
        Files.writeString(file, yaml.replace("host: host-1", "hots: host-1"));
        Run wrong = program.run("fleet", "apply", file.toString()).ended(2);
        assertTrue(wrong.err().contains("unknown key 'hots'; did you mean 'host'?"), wrong.err());
        assertTrue(wrong.err().contains("line "), wrong.err());
        program.run("group", "add", "api", "--kind", "cloud-service").ended(0);
        program.run("vm", "add", "api_0", "--group", "api", "--address", "127.0.0.41", "--tag", "env=test")
                .ended(0);
        assertTrue(program.run("vm", "show", "api_0").ended(0).out().contains("env=test"));
        assertTrue(program.run("group", "show", "api").ended(0).out().contains("cloud-service"));
        program.run("vm", "remove", "api_0").ended(0);
        program.run("group", "remove", "api").ended(0);
        assertEquals(yaml, program.run("fleet", "export").ended(0).out());
    }

    @Test
    void aTokenOpensFromElsewhere() throws Exception {
        String secret = program.run("token", "add", "ci", "--role", "operator", "--expires", "1d")
                .ended(0)
                .out()
                .strip();
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Program other = new Program(elsewhere).with("FOREWARN_URL", "http://127.0.0.1:1," + serverProcess.url());
        assertTrue(other.run("status").ended(1).err().contains("set FOREWARN_TOKEN"));
        other.with("FOREWARN_TOKEN", secret);
        other.run("status").ended(0);
        assertTrue(program.run("token", "list").ended(0).out().contains("ci"));
        program.run("token", "remove", "ci").ended(0);
        other.run("status").ended(1);
        Run refused = other.run("vm", "restart", "db-1").ended(1);
        assertTrue(refused.err().contains("invalid or expired token"), refused.err());
        Path file = Files.writeString(folder.resolve("one.yaml"), "machines:\n  - {name: one}\n");
        other.run("fleet", "apply", file.toString()).ended(1);
    }
}
