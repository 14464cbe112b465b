package io.forewarn.server.log;

import java.util.List;
import java.util.function.Consumer;

/** Takes lines for the operator. Any thread; never waits for a reader. */
public interface Log {
    /** Several lines that belong together. */
    void write(List<LogLine> lines);

    default void write(LogLine line) {
        write(List.of(line));
    }

    /** Hands each line over as text at once. */
    static Log to(Consumer<String> out, LogFormat format) {
        return lines -> lines.forEach(line -> out.accept(format.print(line)));
    }
}
