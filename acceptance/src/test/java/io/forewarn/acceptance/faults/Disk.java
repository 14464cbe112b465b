package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes the disk under a running server worse, and well again. */
final class Disk {
    private Disk() {}

    /** A prefix under which {@code folder} is a small disk, seen by the server alone and gone with it. */
    static List<String> small(Path folder, String size) throws Exception {
        InstalledTools.need("unshare");
        Files.createDirectories(folder);
        assumeTrue(
                runs("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", folder.toString()), "mounting needs root");
        return List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o mode=0700,size=" + size + " tmpfs \"$0\" && exec \"$@\"",
                folder.toString());
    }

    /** The server's own view of one of its files. */
    static Path seenBy(Server server, Path file) {
        return Path.of("/proc/" + server.pid() + "/root" + file);
    }

    /** A fault that lasts until it is closed. */
    static final class Fault implements AutoCloseable {
        private final Process strace;
        private final Path trace;

        private Fault(Process strace, Path trace) {
            this.strace = strace;
            this.trace = trace;
        }

        /** How often it struck. */
        long struck() throws IOException {
            return Files.readString(trace)
                    .lines()
                    .filter(l -> l.contains("INJECTED") || l.contains("DELAYED"))
                    .count();
        }

        @Override
        public void close() {
            strace.destroy(); // It lets go of the server and ends.
            strace.onExit().join();
        }
    }

    /** From now on every such system call of the server goes wrong in this way. */
    static Fault inject(Server server, Path trace, String calls, String how) throws Exception {
        return attach(server, trace, "-e", "trace=" + calls, "-e", "inject=" + calls + ":" + how);
    }

    /** Nothing goes wrong; all such system calls of the server are written down, with the files and the data they are about. */
    static Fault watch(Server server, Path trace, String calls) throws Exception {
        return attach(server, trace, "-y", "-s", "120", "-e", "trace=" + calls);
    }

    private static Fault attach(Server server, Path trace, String... options) throws Exception {
        InstalledTools.need("strace");
        assumeTrue(runs("strace", "-o", "/dev/null", "true"), "tracing is not allowed here");
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-o", trace.toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-p", Long.toString(server.pid())));
        Process strace = new ProcessBuilder(command).redirectErrorStream(true).start();
        // It says so once it has every thread; before that nothing is certain.
        StringBuilder said = new StringBuilder();
        while (!said.toString().contains("attached")) {
            int next = strace.getInputStream().read();
            assertTrue(next >= 0, () -> "strace ended: " + said);
            said.append((char) next);
        }
        return new Fault(strace, trace);
    }

    private static boolean runs(String... command) throws Exception {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    /** Writes zeros until nothing more fits. */
    static void fill(Path file) throws IOException {
        byte[] zeros = new byte[4096];
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException full) {
            assertEquals("No space left on device", full.getMessage());
        }
    }

    /** Overwrites the middle of a file. */
    static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        byte[] garbage = "this is not what was written ".getBytes(StandardCharsets.US_ASCII);
        for (int i = 4096; i < bytes.length; i++) {
            bytes[i] = garbage[i % garbage.length];
        }
        Files.write(file, bytes);
    }
}
