package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFilesTest {
    /** A process that makes a temporary file and then waits. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            System.out.write((Files.createTempFile(TemporaryFiles.prefix(), ".out") + "\n").getBytes());
            System.out.flush();
            System.in.read();
        }
    }

    @Test
    void filesOfAKilledProcessAreSweptAndThoseOfALiveOneAreNot(@TempDir Path folder) throws Exception {
        Path others = Files.createFile(folder.resolve("forewarn-0123456789abcdef-kept"));
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + folder,
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path file = Path.of(holder.inputReader().readLine());
        TemporaryFiles.sweep(folder);
        assertTrue(Files.exists(file), "it is in use");
        holder.destroyForcibly().waitFor();
        TemporaryFiles.sweep(folder);
        try (var left = Files.list(folder)) {
            assertEquals(List.of(others), left.toList(), "what has no owner is nobody's to delete");
        }
    }
}
