package io.forewarn.acceptance.control;

import java.nio.file.Path;

/** Programs of others that tests use from outside: copied by the build, on nobody's class path. */
final class CopiedPrograms {
    private CopiedPrograms() {}

    /** Beside the classes of these tests, wherever they are built. */
    static Path file(String name) {
        return Path.of(CopiedPrograms.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .resolveSibling("generator")
                .resolve(name)
                .toAbsolutePath();
    }
}
