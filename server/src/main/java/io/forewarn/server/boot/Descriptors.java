package io.forewarn.server.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * How many connections the process may hold, so that the store, the log and the operator's programs never lack a
 * descriptor. Machines get seven eighths, people the rest: neither can shut the other out.
 */
record Descriptors(Semaphore metadata, Semaphore control) {
    private static final int RESERVE = 128;
    private static final int LEAST = 64;

    static Descriptors ofThisProcess() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return of(Files.readString(Path.of("/proc/self/limits")), open.count());
        } catch (IOException elsewhere) {
            return share(Integer.MAX_VALUE); // Not a Linux: nothing is known, nothing is limited.
        }
    }

    static Descriptors of(String limits, long open) {
        long most = limits.lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split("\\s+")[3])
                .filter(soft -> soft.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(Integer.MAX_VALUE);
        return share((int) Math.min(Integer.MAX_VALUE, Math.max(LEAST, most - open - RESERVE)));
    }

    private static Descriptors share(int room) {
        return new Descriptors(new Semaphore(room - room / 8), new Semaphore(room / 8));
    }
}
