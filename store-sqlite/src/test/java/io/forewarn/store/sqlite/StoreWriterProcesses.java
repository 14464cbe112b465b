package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts {@link StoreWriterProcess} in a process of its own, bare or under a tool that makes its world worse. */
final class StoreWriterProcesses {
    private static final int PATIENCE_SECONDS = 60;

    private StoreWriterProcesses() {}

    static Process start(List<String> wrapper, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                StoreWriterProcess.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** Runs to its end, which must be a good one, and returns what it said. */
    static List<String> run(List<String> wrapper, String... arguments) throws Exception {
        Process process = start(wrapper, arguments);
        List<String> said = output(process).lines().toList();
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), said::toString);
        return said;
    }

    /** In a mount namespace of its own where {@code folder} is a small disk, gone when the child is. */
    static List<String> onSmallDisk(Path folder, String options) throws Exception {
        List<String> wrapper = List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o mode=0700," + options + " tmpfs \"$0\" && exec \"$@\"",
                folder.toString());
        assumeRuns(
                "mounting needs root and unshare",
                "unshare",
                "--mount",
                "mount",
                "-t",
                "tmpfs",
                "tmpfs",
                folder.toString());
        return wrapper;
    }

    static List<String> traced(Path trace, String... options) throws Exception {
        assumeRuns("strace must be installed and allowed", "strace", "-f", "-o", "/dev/null", "true");
        List<String> wrapper = new ArrayList<>(List.of("strace", "-f", "-y", "-qq", "-o", trace.toString()));
        wrapper.addAll(List.of(options));
        return wrapper;
    }

    private static void assumeRuns(String reason, String... command) throws Exception {
        boolean runs;
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            runs = process.waitFor() == 0;
        } catch (IOException e) {
            runs = false;
        }
        assumeTrue(runs, reason);
    }
}
