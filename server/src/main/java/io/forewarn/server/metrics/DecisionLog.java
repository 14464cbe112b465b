package io.forewarn.server.metrics;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Cause;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Logs one line per decision. What the service itself decides for many events of a rollout in one commit is one line with counts:
 * a rollout over a large fleet would otherwise log gigabytes, and the history has each event anyway.
 */
public final class DecisionLog implements EngineListener {
    private static final Set<String> BAD =
            Set.of(Transition.FAILED.name(), Transition.FAILED_UNSEEN.name(), HistoryEntry.What.ROLLOUT_HALTED.name());

    /** More events of a rollout than this, in one commit, are summed up. */
    private static final int FEW = 10;

    /** What is summed up: the same step of the same kind of work. */
    private record Step(String what, String rollout, Cause cause, String detail) {
        static Step of(HistoryEntry entry) {
            return new Step(entry.what(), entry.rollout(), entry.cause(), entry.detail());
        }
    }

    private final Log log;

    public DecisionLog(Log log) {
        this.log = log;
    }

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        List<HistoryEntry> entries = page.entries();
        if (!entries.isEmpty()) {
            log.write(entries.size(), () -> lines(entries));
        }
    }

    private static List<LogLine> lines(List<HistoryEntry> entries) {
        if (entries.size() <= FEW) {
            return entries.stream().map(DecisionLog::line).toList();
        }
        Map<Step, List<HistoryEntry>> steps =
                entries.stream().filter(DecisionLog::isUsual).collect(Collectors.groupingBy(Step::of));
        List<LogLine> lines = new ArrayList<>();
        for (HistoryEntry entry : entries) {
            List<HistoryEntry> same = isUsual(entry) ? steps.get(Step.of(entry)) : List.of();
            if (same.size() <= FEW) {
                lines.add(line(entry));
            } else if (same.get(0) == entry) {
                lines.add(sum(same));
            }
        }
        return lines;
    }

    /** Whether nobody but the service did it, to an event of a rollout, and nothing went wrong. */
    private static boolean isUsual(HistoryEntry entry) {
        return entry.rollout() != null
                && entry.event() != null
                && !BAD.contains(entry.what())
                && entry.reason().isEmpty()
                && (entry.actor() == null || entry.actor().kind() == Actor.Kind.SERVICE);
    }

    /** The first NotBefore and the shortest notice of all are the ones that somebody may look for. */
    private static LogLine sum(List<HistoryEntry> same) {
        HistoryEntry first = same.get(0);
        return LogLine.info(EnumNames.of(first.what()))
                .at(first.at())
                .with("rollout", first.rollout())
                .with(
                        "type",
                        first.cause() == null
                                ? null
                                : EnumNames.of(first.cause().type()))
                .with("cause", first.cause() == null ? null : EnumNames.of(first.cause()))
                .with("events", same.size())
                .with(
                        "groups",
                        same.stream().map(HistoryEntry::group).distinct().count())
                .with(
                        "machines",
                        same.stream().mapToInt(e -> e.machines().size()).sum())
                .with("first-not-before", least(same, HistoryEntry::notBefore))
                .with("least-promised", print(least(same, HistoryEntry::promised)))
                .with("least-given", print(least(same, HistoryEntry::given)))
                .with("detail", first.detail());
    }

    private static <T extends Comparable<T>> T least(List<HistoryEntry> entries, Function<HistoryEntry, T> of) {
        return entries.stream()
                .map(of)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private static String print(Duration duration) {
        return duration == null ? null : Durations.print(duration);
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
                .with("promised", print(entry.promised()))
                .with("given", print(entry.given()));
        if (entry.actor() != null) {
            line.with("by", EnumNames.of(entry.actor().kind()))
                    .with("name", entry.actor().name())
                    .with("from", entry.actor().from());
        }
        return line.with("detail", entry.detail()).with("reason", entry.reason());
    }
}
