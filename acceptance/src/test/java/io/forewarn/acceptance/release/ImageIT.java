package io.forewarn.acceptance.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The container image under podman, with published ports as a network with address translation provides them. */
// Takes more than 20 s: it builds the release if nobody did, and starts the container three times.
@Timeout(value = BuiltRelease.MINUTES, unit = TimeUnit.MINUTES)
final class ImageIT {
    @TempDir
    private Path folder;

    @Test
    void theImageServesThroughPublishedPortsAndKeepsItsState() throws Exception {
        InstalledTools.needNetworkOfItsOwn();
        InstalledTools.need("podman", "crun", "nft", "curl");
        Path image = BuiltRelease.file("forewarn-", "-image.tar");
        Path script = folder.resolve("image.sh");
        try (var in = ImageIT.class.getResourceAsStream("image.sh")) {
            Files.copy(in, script);
        }

        Output run = Output.of(
                folder,
                "unshare",
                "--mount",
                "--net",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "timeout",
                "200",
                "bash",
                "-eu",
                script.toString(),
                image.toString(),
                folder.toString());

        List<String> parts = List.of(run.text().split("--- next ---\n"));
        assertEquals(0, run.exit(), run::text);
        // The log: how to begin, how to get a token, and the warning.
        tells(
                parts.get(1),
                "Port 8169 is the machine FrontEnd_IN_0",
                "token add me --role operator",
                "what=no-tls",
                "ready metadata=");
        // Every machine at its own port, although all callers have the gateway's address.
        tells(parts.get(2), "{\"DocumentIncarnation\":1,\"Events\":[]}", "FrontEnd_IN_0", "FrontEnd_IN_1", "db-1");
        // A restart by a command in the container, and one from outside with a token.
        tells(parts.get(3), "reboot of FrontEnd_IN_0", "\"Resources\":[\"FrontEnd_IN_0\"]", "token accepted", "401");
        // The root cannot be written, the user is not root, and the health check passes.
        tells(parts.get(4), "Read-only file system", "uid=10001(forewarn)", "healthy");
        // Killed and started again: the event is still there. Removed and run again on the same volume: it still is.
        tells(parts.get(5), "\"Resources\":[\"FrontEnd_IN_0\"]");
        tells(parts.get(6), "\"Resources\":[\"FrontEnd_IN_0\"]");
    }

    private static void tells(String said, String... texts) {
        for (String text : texts) {
            assertTrue(said.contains(text), () -> "'" + text + "' is not in: " + said);
        }
    }

    @Test
    void theOciLayoutIsTheSameImage() throws Exception {
        InstalledTools.need("skopeo");
        Path archive = BuiltRelease.file("forewarn-", "-image.tar");
        Path layout = BuiltRelease.file("forewarn-", "-oci.tar");
        String docker = Output.of(folder, "skopeo", "inspect", "--config", "docker-archive:" + archive)
                .must();
        String oci = Output.of(folder, "skopeo", "inspect", "--config", "oci-archive:" + layout)
                .must();
        assertEquals(docker.replaceAll("(?s).*\"rootfs\"", ""), oci.replaceAll("(?s).*\"rootfs\"", ""));
        // Reads every layer and compares it with its digest.
        Output.of(
                        folder,
                        "skopeo",
                        "copy",
                        "--insecure-policy",
                        "oci-archive:" + layout,
                        "dir:" + folder.resolve("copy"))
                .must();
    }
}
