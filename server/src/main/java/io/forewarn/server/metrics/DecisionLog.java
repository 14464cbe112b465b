package io.forewarn.server.metrics;

import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Logs one line per decision. */
public final class DecisionLog implements EngineListener {
    private static final Set<String> BAD =
            Set.of(Transition.FAILED.name(), Transition.FAILED_UNSEEN.name(), HistoryEntry.What.ROLLOUT_HALTED.name());

    private final Log log;

    public DecisionLog(Log log) {
        this.log = log;
    }

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        List<HistoryEntry> entries = page.entries();
        if (!entries.isEmpty()) {
            log.write(
                    entries.size(),
                    () -> entries.stream().map(DecisionLog::line).toList());
        }
    }

    @Override
    public void troubled(StoreException problem) {
        // Losing the writer role is not a problem of the store.
        boolean fenced = problem.kind() == StoreException.Kind.FENCED;
        LogLine line = fenced ? LogLine.warning("store-troubled") : LogLine.error("store-troubled");
        log.write(line.with("kind", EnumNames.of(problem.kind())).with("detail", problem.getMessage()));
    }

    @Override
    public void failed(Command command, RuntimeException bug) {
        log.write(LogLine.error("bug").with("command", command).with("detail", trace(bug)));
    }

    /** Logs an internal error outside the writer. Thread-safe. */
    public void failed(String where, RuntimeException bug) {
        log.write(LogLine.error("bug").with("in", where).with("detail", trace(bug)));
    }

    private static String trace(RuntimeException bug) {
        StringWriter trace = new StringWriter();
        bug.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    @Override
    public void swept(int pages, int auditPages, Instant before) {
        log.write(LogLine.info("swept")
                .with("history-pages", pages)
                .with("audit-pages", auditPages)
                .with("before", before)
                .with("reason", "older than store.log-retention"));
    }

    @Override
    public void held(String why, Duration grace) {
        log.write(LogLine.warning("held-back")
                .with("reason", why)
                .with("effect", "nothing starts by time for " + Durations.print(grace) + ", unless it is approved"));
    }

    @Override
    public void recovered() {
        log.write(LogLine.info("store-recovered"));
    }

    static LogLine line(HistoryEntry entry) {
        String what = EnumNames.of(entry.what());
        LogLine line = (BAD.contains(entry.what()) ? LogLine.warning(what) : LogLine.info(what))
                .at(entry.at())
                .with("group", entry.group())
                .with("event", entry.event())
                .with("rollout", entry.rollout())
                .with(
                        "type",
                        entry.cause() == null
                                ? null
                                : EnumNames.of(entry.cause().type()))
                .with("cause", entry.cause() == null ? null : EnumNames.of(entry.cause()))
                .with("machines", entry.machines())
                .with("not-before", entry.notBefore())
                .with("promised", entry.promised() == null ? null : Durations.print(entry.promised()))
                .with("given", entry.given() == null ? null : Durations.print(entry.given()));
        if (entry.actor() != null) {
            line.with("by", EnumNames.of(entry.actor().kind()))
                    .with("name", entry.actor().name())
                    .with("from", entry.actor().from());
        }
        return line.with("detail", entry.detail()).with("reason", entry.reason());
    }
}
