package io.forewarn.acceptance.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this machine has. */
public final class InstalledTools {
    private InstalledTools() {}

    /** Skips the test, saying what is missing. */
    public static void need(String... programs) {
        for (String program : programs) {
            assumeTrue(here(program), program + " is not installed");
        }
    }

    /** Skips the test, with the reason, where nobody may make a network: a container without rights, a chroot. */
    public static void needNetworkOfItsOwn() {
        need("unshare", "ip");
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root, for a network of its own");
        try {
            Process probe = new ProcessBuilder("unshare", "--net", "ip", "link", "set", "lo", "up")
                    .redirectErrorStream(true)
                    .start();
            String lack = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assumeTrue(probe.waitFor() == 0, () -> "networks cannot be made here: " + lack);
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** The top folder of the project. */
    public static Path project() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("forewarn"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static boolean here(String program) {
        return List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin").stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
