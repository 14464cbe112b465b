package io.forewarn.server.log;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writes log lines for the operator. Thread-safe; never blocks on a slow reader. */
public interface Log {
    /** Writes several lines that belong together. */
    void write(List<LogLine> lines);

    /**
     * Writes lines that are composed where there is time for it.
     *
     * @param count how many there are
     * @param lines may be called on another thread, or never
     */
    default void write(int count, Supplier<List<LogLine>> lines) {
        write(lines.get());
    }

    default void write(LogLine line) {
        write(List.of(line));
    }

    /** A log that passes on each line as text at once. */
    static Log to(Consumer<String> out, LogFormat format) {
        return lines -> lines.forEach(line -> out.accept(format.print(line)));
    }
}
