package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program as people start it, in a folder and with a home of its own. */
final class Program {
    private static final long PATIENCE = 240;

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
        Path link = folder.resolve("forewarn");
        if (!Files.exists(link)) {
            Files.createSymbolicLink(link, InstalledTools.project().resolve("forewarn"));
        }
        return finish(start(List.of("sh", "-c", line)));
    }

    Process start(List<String> command) throws IOException {
        Path out = Files.createTempFile(folder, "run", ".out");
        Path err = Path.of(out + ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(Program::isOfTheCaller);
        builder.environment().put("HOME", folder.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        files.put(process, out);
        return process;
    }

    private static boolean isOfTheCaller(String variable) {
        return variable.startsWith("FOREWARN_") && !variable.equals("FOREWARN_JAVA_OPTS")
                || variable.equals("XDG_RUNTIME_DIR")
                || variable.equals("XDG_CONFIG_HOME");
    }

    private final Map<Process, Path> files = new HashMap<>();

    Run finish(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after " + PATIENCE + " s: " + said(process));
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
        List<String> command = new ArrayList<>(
                List.of(InstalledTools.project().resolve("forewarn").toString()));
        command.addAll(List.of(args));
        return command;
    }
}
