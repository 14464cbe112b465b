package io.forewarn.acceptance.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A host of our own: network, mounts and processes are in namespaces that vanish with one process, whatever happens to the
 * test. Two machines hang on ports {@code vm0} and {@code vm1}; somebody is outside, behind {@code uplink}.
 */
final class NamespaceHost implements AutoCloseable {
    /** What a command wrote, and how it ended. */
    record Ran(int exit, String said) {}

    private final Path folder;
    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;

    /** @param deb the package that the page installs, in the folder in which its commands run */
    NamespaceHost(Path deb) throws IOException {
        folder = Files.createTempDirectory("forewarn-host-");
        Path script = folder.resolve("host.sh");
        try (var in = NamespaceHost.class.getResourceAsStream("host.sh")) {
            Files.copy(in, script);
        }
        process = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "--net",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--mount-proc",
                        "bash",
                        "-u",
                        script.toString(),
                        folder.toString(),
                        deb.toString())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
        commands = process.outputWriter(StandardCharsets.US_ASCII);
        try {
            assertEquals("ready", answers.readLine(), this::errors);
        } catch (IOException | AssertionError e) {
            close();
            throw e;
        }
    }

    /** Runs commands in one of the namespaces: host, web_0, web_1 or outside. */
    Ran run(String where, String script) throws IOException {
        Base64.Encoder encoder = Base64.getEncoder();
        commands.write(where + " " + encoder.encodeToString(script.getBytes(StandardCharsets.UTF_8)) + "\n");
        commands.flush();
        String line = answers.readLine();
        assertNotNull(line, () -> "the host went away: " + errors());
        String[] parts = line.split(" ", 2);
        String said = new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        return new Ran(Integer.parseInt(parts[0]), said);
    }

    /** Runs commands that must succeed and returns what they wrote. */
    String must(String where, String script) throws IOException {
        Ran ran = run(where, script);
        assertEquals(0, ran.exit(), () -> "on " + where + ":\n" + script + "\n" + ran.said());
        return ran.said();
    }

    /** Begins something that goes on until the host ends; what it writes is in {@code $ROOM/background}. */
    void begin(String script) throws IOException {
        run("background", script);
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
