package io.forewarn.server.metrics;

import io.forewarn.core.engine.Journal;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.Words;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One line per decision. Lines are written by somebody else's thread: a reader of the log who has stopped must not stop the
 * writer, so that what piles up beyond a limit is dropped and counted.
 */
public final class DecisionLog implements Journal {
    private static final int WAITING = 10_000;

    private final Consumer<String> out;
    private final Executor executor;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();

    /** @param executor runs one task after the other */
    public DecisionLog(Consumer<String> out, Executor executor) {
        this.out = out;
        this.executor = executor;
    }

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        if (!page.entries().isEmpty()) {
            // All lines of a commit in one go: a large one would else be many small writes.
            later(() ->
                    out.accept(page.entries().stream().map(DecisionLog::line).collect(Collectors.joining("\n"))));
        }
    }

    @Override
    public void troubled(StoreException problem) {
        String line = new Logfmt()
                .with("level", "error")
                .with("what", "store-troubled")
                .with("kind", Words.of(problem.kind()))
                .with("detail", problem.getMessage())
                .toString();
        later(() -> out.accept(line));
    }

    @Override
    public void failed(Command command, RuntimeException bug) {
        StringWriter trace = new StringWriter();
        bug.printStackTrace(new PrintWriter(trace));
        String line = new Logfmt()
                .with("level", "error")
                .with("what", "bug")
                .with("command", command)
                .with("detail", trace)
                .toString();
        later(() -> out.accept(line));
    }

    @Override
    public void recovered() {
        later(() -> out.accept(new Logfmt()
                .with("level", "info")
                .with("what", "store-recovered")
                .toString()));
    }

    private void later(Runnable writing) {
        if (waiting.incrementAndGet() > WAITING) {
            waiting.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        executor.execute(() -> {
            int missing = dropped.getAndSet(0);
            if (missing > 0) {
                out.accept(new Logfmt()
                        .with("level", "warn")
                        .with("what", "log-lines-dropped")
                        .with("commits", missing)
                        .toString());
            }
            writing.run();
            waiting.decrementAndGet();
        });
    }

    static String line(Entry entry) {
        Logfmt line = new Logfmt()
                .with("at", entry.at())
                .with("level", "info")
                .with("what", Words.of(entry.what()))
                .with("group", entry.group())
                .with("event", entry.event())
                .with("cause", entry.cause() == null ? null : Words.of(entry.cause()))
                .with("machines", String.join(",", entry.machines()))
                .with("not-before", entry.notBefore())
                .with("promised", entry.promised() == null ? null : Durations.print(entry.promised()))
                .with("given", entry.given() == null ? null : Durations.print(entry.given()));
        if (entry.actor() != null) {
            line.with("by", Words.of(entry.actor().kind()))
                    .with("name", entry.actor().name())
                    .with("from", entry.actor().from());
        }
        return line.with("detail", entry.detail()).toString();
    }
}
