package io.forewarn.server.log;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Lines are written by somebody else's thread: a reader of the log who has stopped must not stop the service, so that what
 * piles up beyond a limit is dropped and counted.
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
     * @param out takes text without its last line end
     * @param now for lines that do not say when
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
        if (lines.isEmpty()) {
            return;
        }
        if (waiting.incrementAndGet() > WAITING) {
            waiting.decrementAndGet();
            dropped.addAndGet(lines.size());
            return;
        }
        Instant time = now.get();
        executor.execute(() -> {
            int missing = dropped.getAndSet(0);
            if (missing > 0) {
                out.accept(format.print(
                        LogLine.warning("log-lines-dropped").at(time).with("lines", missing)));
            }
            // In one go: the lines of a large commit would else be many small writes.
            out.accept(lines.stream()
                    .map(line -> format.print(line.at() == null ? line.at(time) : line))
                    .collect(Collectors.joining("\n")));
            waiting.decrementAndGet();
        });
    }
}
