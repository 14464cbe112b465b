package io.forewarn.acceptance.driver;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service hands work to the operator's program, and finds it again after a crash. */
// Takes more than 20 s: the driver is a real program, and the server is killed and started again while it works.
class CommandDriverIT {
    @TempDir
    private Path folder;

    @Test
    void anApprovedRestartBootsTheLibvirtDomainAfresh() throws Exception {
        InstalledTools.need("python3", "virsh", "libvirtd", "setpriv");
        try (Libvirt libvirt = new Libvirt()) {
            libvirt.define("web_0");
            String before = libvirt.number("web_0");
            String driver =
                    InstalledTools.project().resolve("examples/virsh-driver").toString();
            List<String> argv = List.of(
                    driver,
                    "--connect",
                    libvirt.uri(),
                    "--state",
                    folder.resolve("state").toString());
            try (CommandDriverService commandDriverService = new CommandDriverService(folder, "web_0", argv)) {
                commandDriverService.operator("vm", "restart", "web_0");
                assertEquals(before, libvirt.number("web_0"));
                commandDriverService.approve();
                commandDriverService.awaitIdle();
            }
            assertNotEquals(before, libvirt.number("web_0"));
            assertEquals("running", libvirt.state("web_0"));
        }
    }

    @Test
    void aProgramAtWorkOutlivesAKilledServiceAndIsStartedOnce() throws Exception {
        try (CommandDriverService commandDriverService = new CommandDriverService(folder, "web_0", program())) {
            commandDriverService.operator("vm", "restart", "web_0");
            commandDriverService.approve();
            eventually(
                    () -> "waited in vain until the program is at work", () -> Files.exists(folder.resolve("began")));

            commandDriverService.kill();
            commandDriverService.start();
            eventually(() -> "waited in vain until its status was asked", () -> calls().contains("status"));
            assertTrue(commandDriverService.document().contains("\"EventStatus\":\"Started\""));
            Files.createFile(folder.resolve("go"));

            commandDriverService.awaitIdle();
            assertEquals(1, calls().stream().filter("start"::equals).count());
        }
    }

    @Test
    void workTheProgramFinishedWhileTheServiceWasDownIsDone() throws Exception {
        try (CommandDriverService commandDriverService = new CommandDriverService(folder, "web_0", program())) {
            commandDriverService.operator("vm", "restart", "web_0");
            commandDriverService.approve();
            eventually(
                    () -> "waited in vain until the program is at work", () -> Files.exists(folder.resolve("began")));

            commandDriverService.kill();
            Files.createFile(folder.resolve("go"));
            eventually(() -> "waited in vain until the program is over", () -> Files.exists(folder.resolve("over")));
            commandDriverService.start();

            commandDriverService.awaitIdle();
            assertEquals(1, calls().stream().filter("start"::equals).count());
        }
    }

    @Test
    void workTheProgramForgotIsStartedAgain() throws Exception {
        try (CommandDriverService commandDriverService = new CommandDriverService(folder, "web_0", program())) {
            commandDriverService.operator("vm", "restart", "web_0");
            commandDriverService.approve();
            eventually(
                    () -> "waited in vain until the program is at work", () -> Files.exists(folder.resolve("began")));

            commandDriverService.kill();
            Files.createFile(folder.resolve("forgotten"));
            commandDriverService.start();
            eventually(
                    () -> "waited in vain until it was started again",
                    () -> calls().stream().filter("start"::equals).count() == 2);
            Files.createFile(folder.resolve("go"));

            commandDriverService.awaitIdle();
            assertTrue(calls().indexOf("status") < calls().lastIndexOf("start"), "asked before it was started again");
        }
    }

    @Test
    void whenTheProgramFailsTheEventIsOverAndTheMachineIsMarked() throws Exception {
        Files.createFile(folder.resolve("broken"));
        try (CommandDriverService commandDriverService = new CommandDriverService(folder, "web_0", program())) {
            commandDriverService.operator("vm", "restart", "web_0");
            commandDriverService.approve();
            commandDriverService.awaitIdle();

            String shown = commandDriverService.operator("vm", "show", "web_0");
            assertTrue(shown.toLowerCase(Locale.ROOT).contains("failed"), shown);
            assertTrue(shown.contains("the fan came off"), shown);
        }
    }

    private List<String> calls() throws IOException {
        Path file = folder.resolve("calls");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private List<String> program() throws IOException {
        String script = String.join(
                "\n",
                "#!/bin/sh",
                "cd '" + folder + "'",
                "echo $1 >> calls",
                "case $1 in",
                "start)",
                "  [ -e broken ] && { echo the fan came off >&2; exit 1; }",
                "  touch began",
                "  i=0; while [ ! -e go ] && [ $i -lt 2400 ]; do sleep 0.05; i=$((i+1)); done",
                "  echo it is over",
                "  touch over;;",
                "status)",
                "  if [ -e forgotten ]; then echo unknown",
                "  elif [ -e over ]; then echo done",
                "  elif [ -e began ]; then echo running",
                "  else echo unknown; fi;;",
                "esac",
                "");
        Path file = Files.writeString(folder.resolve("program"), script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        assertFalse(Files.exists(folder.resolve("calls")));
        return List.of(file.toString());
    }
}
