package io.forewarn.acceptance.driver;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.DocsPage;
import io.forewarn.acceptance.deploy.InstalledTools;
import io.forewarn.acceptance.deploy.StoreChoice;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example driver does to real libvirt domains what the event says, once per EventId. */
// Takes more than 20 s: it starts a real libvirt daemon.
@Tag(StoreChoice.ONCE)
class VirshDriverIT {
    private static Libvirt libvirt;
    private static int count;

    @TempDir
    private Path state;

    private String domain;

    @AfterAll
    static void stopLibvirt() throws Exception {
        if (libvirt != null) {
            libvirt.close();
        }
    }

    @BeforeEach
    void defineDomain() throws Exception {
        InstalledTools.need("python3", "virsh", "libvirtd", "setpriv");
        if (libvirt == null) {
            libvirt = new Libvirt();
        }
        domain = "web_" + ++count;
        libvirt.define(domain);
    }

    @Test
    void statusTellsTheTruthBeforeDuringAndAfterADriverThatWasKilled() throws Exception {
        assertEquals("unknown", status("Freeze"));
        Process driver = begin("Freeze", "--pause", "600");
        await("paused");
        assertEquals("running", status("Freeze"));
        driver.destroyForcibly().waitFor();

        assertEquals("failed", status("Freeze"));
        assertEquals("unknown", status("Reboot"));
    }

    @Test
    void aFreezeLeavesTheSameDomainRunning() throws Exception {
        String before = libvirt.number(domain);

        assertEquals(0, begin("Freeze", "--pause", "0").waitFor());

        assertEquals("done", status("Freeze"));
        assertEquals("running", libvirt.state(domain));
        assertEquals(before, libvirt.number(domain));
    }

    @Test
    void aRebootAndARedeployBootTheDomainAfreshOncePerEvent() throws Exception {
        for (String type : List.of("Reboot", "Redeploy")) {
            String before = libvirt.number(domain);
            assertEquals(0, begin(type).waitFor());
            String after = libvirt.number(domain);
            assertNotEquals(before, after);
            assertEquals("running", libvirt.state(domain));

            assertEquals(0, begin(type).waitFor());
            assertEquals(after, libvirt.number(domain), "told twice, done once");
            assertEquals("done", status(type));
        }
    }

    @Test
    void aPreemptedDomainIsOffAndATerminatedOneIsGone() throws Exception {
        assertEquals(0, begin("Preempt").waitFor());
        assertEquals("shut off", libvirt.state(domain));

        assertTrue(libvirt.names().contains(domain));
        assertEquals(0, begin("Terminate").waitFor());
        assertFalse(libvirt.names().contains(domain));
    }

    @Test
    void aDomainThatDoesNotExistFailsTheWork() throws Exception {
        domain = "nobody";

        Process driver = begin("Reboot");

        String said = new String(driver.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, driver.waitFor());
        assertTrue(said.contains("nobody"), said);
        assertEquals("failed", status("Reboot"));
    }

    @Test
    void theExampleOfThePageAnswersAsPrinted() throws Exception {
        Files.createDirectory(state.resolve("examples"));
        Files.copy(
                InstalledTools.project().resolve("examples/virsh-driver"),
                state.resolve("examples/virsh-driver"),
                StandardCopyOption.COPY_ATTRIBUTES);
        String script = DocsPage.blocks("docs/driver.md", "sh virsh-example").get(0);

        Process shell = new ProcessBuilder("bash", "-eu", "-c", script)
                .directory(state.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();

        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(List.of("unknown", "suspend test", "done"), said.lines().toList());
        assertEquals(0, shell.waitFor());
    }

    private String status(String type) throws Exception {
        Process driver = driver(type, List.of("status"));
        String word = new String(driver.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, driver.waitFor());
        return word;
    }

    private Process begin(String type, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add("start");
        return driver(type, arguments);
    }

    private Process driver(String type, List<String> arguments) throws Exception {
        List<String> argv = new ArrayList<>(List.of(
                InstalledTools.project().resolve("examples/virsh-driver").toString(),
                "--connect",
                libvirt.uri(),
                "--state",
                state.toString()));
        argv.addAll(arguments);
        Process process = new ProcessBuilder(argv).start();
        try (var in = process.getOutputStream()) {
            in.write(event(type).getBytes(StandardCharsets.UTF_8));
        }
        return process;
    }

    /** One event of each type. */
    private String event(String type) {
        String id = String.format("00000000-0000-0000-0000-%012x", type.hashCode());
        return "{\"EventId\":\"" + id + "\",\"EventType\":\"" + type
                + "\",\"Attempt\":1,\"Epoch\":1,\"Resources\":[{\"Name\":\"" + domain + "\"}]}";
    }

    private void await(String wanted) {
        eventually(() -> libvirt.state(domain), wanted::equals);
    }
}
