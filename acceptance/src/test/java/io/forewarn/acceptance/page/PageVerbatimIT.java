package io.forewarn.acceptance.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import io.forewarn.acceptance.deploy.StoreChoice;
import io.forewarn.acceptance.page.TerminalPrograms.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page prints, without a letter changed: two network namespaces, a host that is 169.254.169.254 and a machine on it. */
@Tag(StoreChoice.ONCE)
class PageVerbatimIT {
    private static final String GET =
            "curl -H Metadata:true http://169.254.169.254/metadata/scheduledevents?api-version=2017-03-01";
    private final String host = "fwh" + ProcessHandle.current().pid();
    private final String machine = "fwm" + ProcessHandle.current().pid();
    private ManualClockServer manualClockServer;

    @TempDir
    Path folder;

    @BeforeEach
    void serve() {
        InstalledTools.need("ip", "curl", "python3", "unshare");
        assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
        Outcome made = TerminalPrograms.sh("ip netns add " + host + " && ip netns add " + machine
                // Making one is not enough: to be in one mounts /sys anew, which not everybody may who may make one.
                + " && ip netns exec " + host + " true && ip netns exec " + machine + " unshare --uts true"
                + " && ip link add v0 netns " + host + " type veth peer name v0 netns " + machine);
        assumeTrue(made.code() == 0, () -> "network and mount namespaces cannot be made here: " + made.err());
        TerminalPrograms.sh("ip -n " + host + " link set lo up && ip -n " + host + " link set v0 up"
                        + " && ip -n " + machine + " link set lo up && ip -n " + machine + " link set v0 up"
                        + " && ip -n " + host + " addr add 169.254.169.254/16 dev v0"
                        + " && ip -n " + machine + " addr add 169.254.10.1/16 dev v0")
                .ok();
        manualClockServer = new ManualClockServer(
                List.of("ip", "netns", "exec", host),
                "169.254.169.254:80",
                "169.254.10.1",
                "169.254.10.2",
                "169.254.10.3");
    }

    @AfterEach
    void end() {
        if (manualClockServer != null) {
            manualClockServer.close();
        }
        TerminalPrograms.sh("ip netns del " + machine + "; ip netns del " + host);
    }

    @Test
    void theCurlLineAndThePythonSampleRunAsPrinted() throws IOException {
        assertEquals(
                "{\"DocumentIncarnation\":1,\"Events\":[]}", inMachine(GET).ok().out());
        manualClockServer.restart("frontend-0");
        Path sample = Files.writeString(folder.resolve("sample.py"), ManualClockServer.resource("sample.py"));
        assertEquals("", inMachine("python3 " + sample).ok().out());
        // Called like its machine, it finds itself in Resources and comes to the page's own slip.
        Outcome named = inMachine("unshare --uts sh -c 'hostname frontend-0; exec python3 " + sample + "'");
        assertTrue(named.err().contains("NameError: name 'eventype'"), named.out() + named.err());
    }

    @Test
    void theSharpSampleRunsAsPrinted() throws IOException {
        InstalledTools.need("mcs", "mono");
        inMachine(GET).ok();
        String id = manualClockServer.restart("frontend-0");
        Path source = Files.writeString(folder.resolve("Sample.cs"), ManualClockServer.resource("Sample.cs"));
        TerminalPrograms.sh("mcs -nologo -r:System.dll -out:" + folder + "/sample.exe " + source)
                .ok();
        String out = inMachine("mono " + folder + "/sample.exe").ok().out();
        assertTrue(out.contains("\"EventId\":\"" + id + "\",\"EventStatus\":\"Started\""), out);
    }

    private Outcome inMachine(String line) {
        return TerminalPrograms.run(List.of("ip", "netns", "exec", machine, "sh", "-c", line), Map.of());
    }
}
