package io.forewarn.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds out whether the JVM uses the class archive that the start script named. The JVM starts without one that is
 * missing or does not fit, for instance after an update of Java, and says nothing.
 */
final class ClassArchive {
    private ClassArchive() {}

    /** Why the archive is not used; empty if it is, or if the start script named none. */
    static Optional<String> problem() {
        return problem(System.getProperty("forewarn.class-archive"), System.getProperty("java.vm.info", ""));
    }

    /** @param vm how the JVM describes itself, as in "mixed mode, sharing" */
    static Optional<String> problem(String archive, String vm) {
        boolean exists = archive != null && Files.exists(Path.of(archive));
        // With its own archive of the JDK's classes, the JVM shares those even if ours is missing.
        if (archive == null || exists && vm.contains("sharing")) {
            return Optional.empty();
        }
        return Optional.of("the class archive " + archive
                + (exists ? " does not fit this Java or these jars" : " is missing")
                + ": starting takes longer, and nothing else changes");
    }
}
