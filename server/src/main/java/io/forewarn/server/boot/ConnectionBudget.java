package io.forewarn.server.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Limits the connections of the process, so that the store, the log and the operator's programs never lack a
 * descriptor, nor the process memory. Machines get seven eighths, people the rest, so that neither can lock the other out.
 */
record ConnectionBudget(int metadata, int control) {
    /** For the store, the log, files, and connections that are being closed. */
    private static final int RESERVE = 512;

    private static final int LEAST = 64;
    /** The memory of one connection with a partial request. */
    private static final long HEAP_EACH = 16 << 10;

    static ConnectionBudget ofThisProcess() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return of(
                    Files.readString(Path.of("/proc/self/limits")),
                    open.count(),
                    Runtime.getRuntime().maxMemory());
        } catch (IOException elsewhere) {
            return share(Runtime.getRuntime().maxMemory() / HEAP_EACH); // Not a Linux: nothing is known of descriptors.
        }
    }

    static ConnectionBudget of(String limits, long open, long heapBytes) {
        long most = limits.lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split("\\s+")[3])
                .filter(soft -> soft.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(Integer.MAX_VALUE);
        return share(Math.min(most - open - RESERVE, heapBytes / HEAP_EACH));
    }

    private static ConnectionBudget share(long connections) {
        int room = (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST, connections));
        return new ConnectionBudget(room - room / 8, room / 8);
    }
}
