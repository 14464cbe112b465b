package io.forewarn.acceptance.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What {@code ./release} builds. The first test that needs it builds it; the others, in whichever process, wait and use it.
 * {@code -Dforewarn.test.release=FOLDER} tests one that is built already.
 */
public final class BuiltRelease {
    /** A test may have to wait until the release is built, on a loaded machine. */
    public static final int MINUTES = 20;

    private static final Path FOLDER = InstalledTools.project().resolve(".build/release-for-tests");
    private static Path built;

    private BuiltRelease() {}

    /** The folder with everything, built from the sources as they are now. */
    public static synchronized Path folder() throws IOException, InterruptedException {
        InstalledTools.need("dpkg-deb", "unzip");
        String given = System.getProperty("forewarn.test.release");
        if (given != null) {
            return Path.of(given);
        }
        assumeTrue(
                jdk("25").resolve("bin/jlink").toFile().canExecute(), "a release needs JDK 25, which is not installed");
        if (built == null) {
            Output output = Output.of(
                    InstalledTools.project(),
                    InstalledTools.project().resolve("release").toString(),
                    "--into",
                    FOLDER.toString(),
                    "--if-changed");
            assertEquals(0, output.exit(), output::text);
            built = FOLDER;
        }
        return built;
    }

    /** The one file whose name begins and ends like this. */
    public static Path file(String begin, String end) throws IOException, InterruptedException {
        try (Stream<Path> files = Files.list(folder())) {
            List<Path> found = files.filter(
                            f -> f.getFileName().toString().matches(begin + "[0-9][^-_]*" + end.replace(".", "\\.")))
                    .toList();
            assertEquals(1, found.size(), () -> "files like " + begin + "VERSION" + end + ": " + found);
            return found.get(0);
        }
    }

    static String version() throws IOException, InterruptedException {
        return file("forewarn-", ".tar.gz").getFileName().toString().replaceAll("forewarn-|\\.tar\\.gz", "");
    }

    /** Where a JDK of this release is; skips the test if there is none. */
    static Path jdk(String feature) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/usr/lib/jvm"))) {
            for (Path home : all.sorted().toList()) {
                Path release = home.resolve("release");
                if (Files.isReadable(release)
                        && Files.isExecutable(home.resolve("bin/java"))
                        && Files.readString(release).contains("JAVA_VERSION=\"" + feature)) {
                    return home;
                }
            }
        }
        assumeTrue(false, "JDK " + feature + " is not installed");
        throw new AssertionError();
    }

    /** Unpacks a tarball and returns the one folder in it. */
    static Path unpack(Path tarball, Path into) throws IOException, InterruptedException {
        Output output = Output.of(into, "tar", "-xzf", tarball.toString(), "-C", into.toString());
        assertEquals(0, output.exit(), output::text);
        return into.resolve(tarball.getFileName().toString().replace(".tar.gz", ""));
    }
}
