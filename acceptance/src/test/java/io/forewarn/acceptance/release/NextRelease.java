package io.forewarn.acceptance.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Makes a higher version of the release, which differs in its version only: there is no later release to upgrade to yet. */
final class NextRelease {
    static final String VERSION = "0.2.0";

    private NextRelease() {}

    /** Changes the version that an unpacked program tells. */
    static void of(Path lib) throws IOException {
        try (Stream<Path> files = Files.list(lib)) {
            Path wire = files.filter(f -> f.getFileName().toString().startsWith("forewarn-wire-"))
                    .findFirst()
                    .orElseThrow();
            try (FileSystem jar = FileSystems.newFileSystem(wire)) {
                Files.writeString(
                        jar.getPath("io/forewarn/wire/control/version.properties"),
                        "version=" + VERSION + "\n",
                        StandardCharsets.UTF_8);
            }
        }
    }

    /** Packs the Debian package again, as a higher version. */
    static Path deb(Path deb, Path folder) throws IOException, InterruptedException {
        Path unpacked = Files.createDirectories(folder.resolve("next"));
        Output.of(folder, "dpkg-deb", "-R", deb.toString(), unpacked.toString()).must();
        of(unpacked.resolve("usr/lib/forewarn/lib"));
        Path control = unpacked.resolve("DEBIAN/control");
        Files.writeString(control, Files.readString(control).replaceFirst("(?m)^Version: .*", "Version: " + VERSION));
        Path made = folder.resolve(deb.getFileName().toString().replaceFirst("_[^_]*_", "_" + VERSION + "_"));
        Output.of(
                        folder,
                        "dpkg-deb",
                        "--build",
                        "--root-owner-group",
                        "-Zgzip",
                        "-z1",
                        unpacked.toString(),
                        made.toString())
                .must();
        return made;
    }
}
