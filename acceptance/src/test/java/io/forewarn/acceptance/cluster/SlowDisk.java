package io.forewarn.acceptance.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A process whose every wait for the disk takes longer, until this is closed. */
final class SlowDisk implements AutoCloseable {
    private final Process strace;
    private final Path calls;
    private final int millis;

    private SlowDisk(Process strace, Path calls, int millis) {
        this.strace = strace;
        this.calls = calls;
        this.millis = millis;
    }

    static boolean possible() {
        try {
            return new ProcessBuilder("strace", "-o", "/dev/null", "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static SlowDisk of(long pid, int millis) throws IOException {
        Path calls = Files.createTempFile("forewarn-disk", ".calls");
        Process strace = new ProcessBuilder(
                        "strace",
                        "-f",
                        "-qq",
                        "-o",
                        calls.toString(),
                        "-e",
                        "trace=fdatasync,fsync",
                        "-e",
                        "inject=fdatasync,fsync:delay_enter=" + millis * 1000,
                        "-p",
                        Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new SlowDisk(strace, calls, millis);
    }

    /** How many waits took longer so far. */
    long delayed() throws IOException {
        try (Stream<String> lines = Files.lines(calls)) {
            return lines.filter(line -> line.contains("(DELAYED)")).count();
        }
    }

    @Override
    public String toString() {
        try {
            return delayed() + " times, " + millis + " ms longer each";
        } catch (IOException unread) {
            return millis + " ms longer";
        }
    }

    @Override
    public void close() throws IOException {
        strace.destroy();
        strace.onExit().join();
        Files.deleteIfExists(calls);
    }
}
