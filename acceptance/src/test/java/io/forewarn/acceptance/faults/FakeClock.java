package io.forewarn.acceptance.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A wall clock of a process's own, which can be set while it runs; how time passes is left alone. */
public final class FakeClock {
    private static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");

    private final Path file;

    /** @param file where it is written by how much the clock is off */
    public FakeClock(Path file) throws IOException {
        this.file = file;
        shift(Duration.ZERO);
    }

    public static boolean isInstalled() {
        return Files.exists(LIBRARY);
    }

    /** From now on the clock is off by so much; it is read once a second. */
    public void shift(Duration by) throws IOException {
        Files.writeString(file, (by.isNegative() ? "" : "+") + by.toSeconds() + "s\n");
    }

    /** What the process is started through. */
    public List<String> wrapper() {
        return List.of(
                "env",
                "LD_PRELOAD=" + LIBRARY,
                "FAKETIME_TIMESTAMP_FILE=" + file,
                "FAKETIME_CACHE_DURATION=1",
                "FAKETIME_FORCE_MONOTONIC_FIX=0", // Else the JVM waits for the wrong time, or for ever.
                // Only what the wall says: the JVM's own waiting goes by the other clock.
                "FAKETIME_DONT_FAKE_MONOTONIC=1");
    }
}
