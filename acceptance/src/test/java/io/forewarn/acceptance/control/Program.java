package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program as people start it, in a folder and with a home of its own. */
final class Program {
    private static final long PATIENCE = 60;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();

    Program(Path folder) {
        this.folder = folder;
    }

    Program with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Path folder() {
        return folder;
    }

    /** What a finished run left. */
    record Run(int code, String out, String err) {
        Run ended(int expected) {
            assertEquals(expected, code, out + err);
            return this;
        }
    }

    Run run(String... args) throws IOException, InterruptedException {
        return finish(start(command(args)));
    }

    /** A line as typed in a shell, where {@code ./forewarn} is this program. */
    Run shell(String line) throws IOException, InterruptedException {
        return shell(line, PATIENCE);
    }

    /** Many lines take their time. */
    Run shell(String line, long seconds) throws IOException, InterruptedException {
        Path script = folder.resolve("forewarn");
        if (!Files.exists(script)) {
            String quoted =
                    String.join(" ", command().stream().map(a -> "'" + a + "'").toList());
            Files.writeString(script, "#!/bin/sh\nexec " + quoted + " \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return finish(start(List.of("sh", "-c", line)), seconds);
    }

    Process start(List<String> command) throws IOException {
        Path out = Files.createTempFile(folder, "run", ".out");
        Path err = Path.of(out + ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(k -> k.startsWith("FOREWARN_") || k.equals("XDG_RUNTIME_DIR"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        files.put(process, out);
        return process;
    }

    private final Map<Process, Path> files = new HashMap<>();

    Run finish(Process process) throws IOException, InterruptedException {
        return finish(process, PATIENCE);
    }

    Run finish(Process process, long seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after " + seconds + " s: " + said(process));
        }
        return said(process);
    }

    Run said(Process process) throws IOException {
        Path out = files.get(process);
        int code = process.isAlive() ? -1 : process.exitValue();
        return new Run(code, read(out), read(Path.of(out + ".err")));
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    List<String> command(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.forewarn.cli.Main"));
        command.addAll(List.of(args));
        return command;
    }
}
