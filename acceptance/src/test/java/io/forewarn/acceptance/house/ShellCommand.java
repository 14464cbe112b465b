package io.forewarn.acceptance.house;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command that was started, with what it printed in files. */
record ShellCommand(Process process, Path out, Path err) {
    static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

    static ShellCommand start(Path directory, String... words) throws IOException {
        Path out = Files.createTempFile("forewarn-", ".out");
        Path err = Files.createTempFile("forewarn-", ".err");
        out.toFile().deleteOnExit();
        err.toFile().deleteOnExit();
        ProcessBuilder builder = new ProcessBuilder(List.of(words))
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        return new ShellCommand(builder.start(), out, err);
    }

    int end() throws InterruptedException {
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(
                    "did not end: " + process.info().commandLine().orElse("?"));
        }
        return process.exitValue();
    }

    String printed() throws IOException {
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    String complained() throws IOException {
        return Files.readString(err, StandardCharsets.UTF_8);
    }
}
