package io.forewarn.server.log;

import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes log lines on a separate thread: a blocked reader of the log must not block the service, so that lines
 * beyond a limit are dropped and counted.
 */
public final class QueuedLog implements Log {
    private static final int WAITING = 10_000;

    private final Consumer<String> out;
    private final LogFormat format;
    private final Supplier<Instant> now;
    private final Executor executor;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();

    /**
     * @param out receives text without its last line end
     * @param now time of lines that have none
     * @param executor runs one task after the other
     */
    public QueuedLog(Consumer<String> out, LogFormat format, Supplier<Instant> now, Executor executor) {
        this.out = out;
        this.format = format;
        this.now = now;
        this.executor = executor;
    }

    @Override
    public void write(List<LogLine> lines) {
        write(lines.size(), () -> lines);
    }

    @Override
    public void write(int count, Supplier<List<LogLine>> lines) {
        if (count == 0) {
            return;
        }
        if (waiting.incrementAndGet() > WAITING) {
            waiting.decrementAndGet();
            dropped.addAndGet(count);
            return;
        }
        Instant time = now.get();
        executor.execute(() -> {
            int missing = dropped.getAndSet(0);
            if (missing > 0) {
                out.accept(format.print(
                        LogLine.warning("log-lines-dropped").at(time).with("lines", missing)));
            }
            // Joined: the lines of a large commit would otherwise be many small writes.
            StringJoiner text = new StringJoiner("\n");
            for (LogLine line : lines.get()) {
                text.add(format.print(line.at() == null ? line.at(time) : line));
            }
            out.accept(text.toString());
            waiting.decrementAndGet();
        });
    }
}
