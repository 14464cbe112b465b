package io.forewarn.acceptance.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this machine has. */
public final class Tools {
    private Tools() {}

    /** Skips the test, saying what is missing. */
    public static void need(String... programs) {
        for (String program : programs) {
            assumeTrue(here(program), program + " is not installed");
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
