package io.forewarn.server.log;

import java.util.List;
import java.util.function.Consumer;

/** Writes log lines for the operator. Thread-safe; never blocks on a slow reader. */
public interface Log {
    /** Writes several lines that belong together. */
    void write(List<LogLine> lines);

    default void write(LogLine line) {
        write(List.of(line));
    }

    /** A log that passes on each line as text at once. */
    static Log to(Consumer<String> out, LogFormat format) {
        return lines -> lines.forEach(line -> out.accept(format.print(line)));
    }
}
