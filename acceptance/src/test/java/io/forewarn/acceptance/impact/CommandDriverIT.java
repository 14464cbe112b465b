package io.forewarn.acceptance.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service hands work to the operator's program, and finds it again after a crash. */
class CommandDriverIT {
    @TempDir
    private Path folder;

    @Test
    void anApprovedRestartBootsTheLibvirtDomainAfresh() throws Exception {
        Tools.need("python3", "virsh", "libvirtd", "setpriv");
        try (Libvirt libvirt = new Libvirt()) {
            libvirt.define("web_0");
            String before = libvirt.number("web_0");
            String driver = Tools.project().resolve("examples/virsh-driver").toString();
            List<String> argv = List.of(
                    driver,
                    "--connect",
                    libvirt.uri(),
                    "--state",
                    folder.resolve("state").toString());
            try (Served served = new Served(folder, "web_0", argv)) {
                served.operator("vm", "restart", "web_0");
                assertEquals(before, libvirt.number("web_0"));
                served.approve();
                served.awaitIdle();
            }
            assertNotEquals(before, libvirt.number("web_0"));
            assertEquals("running", libvirt.state("web_0"));
        }
    }

    @Test
    void aProgramAtWorkOutlivesAKilledServiceAndIsStartedOnce() throws Exception {
        try (Served served = new Served(folder, "web_0", program())) {
            served.operator("vm", "restart", "web_0");
            served.approve();
            Served.await("the program is at work", () -> Files.exists(folder.resolve("began")));

            served.kill();
            served.start();
            Served.await("its status was asked", () -> calls().contains("status"));
            assertTrue(served.document().contains("\"EventStatus\":\"Started\""));
            Files.createFile(folder.resolve("go"));

            served.awaitIdle();
            assertEquals(1, calls().stream().filter("start"::equals).count());
        }
    }

    @Test
    void workTheProgramFinishedWhileTheServiceWasDownIsDone() throws Exception {
        try (Served served = new Served(folder, "web_0", program())) {
            served.operator("vm", "restart", "web_0");
            served.approve();
            Served.await("the program is at work", () -> Files.exists(folder.resolve("began")));

            served.kill();
            Files.createFile(folder.resolve("go"));
            Served.await("the program is over", () -> Files.exists(folder.resolve("over")));
            served.start();

            served.awaitIdle();
            assertEquals(1, calls().stream().filter("start"::equals).count());
        }
    }

    @Test
    void workTheProgramForgotIsStartedAgain() throws Exception {
        try (Served served = new Served(folder, "web_0", program())) {
            served.operator("vm", "restart", "web_0");
            served.approve();
            Served.await("the program is at work", () -> Files.exists(folder.resolve("began")));

            served.kill();
            Files.createFile(folder.resolve("forgotten"));
            served.start();
            Served.await(
                    "it was started again",
                    () -> calls().stream().filter("start"::equals).count() == 2);
            Files.createFile(folder.resolve("go"));

            served.awaitIdle();
            assertTrue(calls().indexOf("status") < calls().lastIndexOf("start"), "asked before it was started again");
        }
    }

    @Test
    void whenTheProgramFailsTheEventIsOverAndTheMachineIsMarked() throws Exception {
        Files.createFile(folder.resolve("broken"));
        try (Served served = new Served(folder, "web_0", program())) {
            served.operator("vm", "restart", "web_0");
            served.approve();
            served.awaitIdle();

            String shown = served.operator("vm", "show", "web_0");
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
