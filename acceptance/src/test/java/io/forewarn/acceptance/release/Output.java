package io.forewarn.acceptance.release;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a command ended, and what it printed to standard output and standard error.
 *
 * @param text both, in the order in which they were printed
 */
record Output(int exit, String text) {
    static Output of(Path folder, String... words) throws IOException, InterruptedException {
        return of(folder, Map.of(), words);
    }

    static Output of(Path folder, Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile("forewarn-", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(List.of(words))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(file.toFile());
            builder.environment().putAll(environment);
            return new Output(builder.start().waitFor(), Files.readString(file, StandardCharsets.UTF_8));
        } finally {
            Files.delete(file);
        }
    }

    /** What it printed, if it ended with 0. */
    String must() {
        assertEquals(0, exit, text);
        return text;
    }
}
