package io.forewarn.acceptance.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs as a person at a terminal would. */
final class TerminalPrograms {
    /** What became of a program. */
    record Outcome(int code, String out, String err) {
        Outcome ok() {
            if (code != 0) {
                throw new AssertionError("exit code " + code + "\n" + out + "\n" + err);
            }
            return this;
        }
    }

    private TerminalPrograms() {}

    static Outcome run(List<String> command, Map<String, String> environment) {
        try {
            Path out = Files.createTempFile("out", "");
            Path err = Files.createTempFile("err", "");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running after a minute: " + command);
            }
            Outcome outcome = new Outcome(process.exitValue(), read(out), read(err));
            Files.delete(out);
            Files.delete(err);
            return outcome;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A line as it stands on the page. */
    static Outcome sh(String line) {
        return run(List.of("sh", "-c", line), Map.of());
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
