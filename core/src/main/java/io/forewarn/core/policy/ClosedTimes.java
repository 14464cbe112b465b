package io.forewarn.core.policy;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Lists when windows and blackouts let no work start, for people to look at. */
public final class ClosedTimes {
    /** From the first instant to the one after the last. */
    public record Span(Instant from, Instant until) {}

    private final Instant from;
    private final Instant until;

    /** All answers lie between these two. */
    public ClosedTimes(Instant from, Instant until) {
        this.from = from;
        this.until = until;
    }

    /** The times of blackouts; those that touch or overlap are one. */
    public List<Span> of(List<Blackout> blackouts) {
        return merged(blackouts.stream().map(blackout -> new Span(blackout.begins(), blackout.ends())));
    }

    /** The times between windows; none if there are no windows, because then work may always start. */
    public List<Span> between(List<MaintenanceWindow> windows) {
        List<Span> closed = new ArrayList<>();
        if (windows.isEmpty()) {
            return closed;
        }
        Instant at = from;
        for (Span open : merged(windows.stream().flatMap(this::openings))) {
            if (open.from().isAfter(at)) {
                closed.add(new Span(at, open.from()));
            }
            at = open.until();
        }
        if (at.isBefore(until)) {
            closed.add(new Span(at, until));
        }
        return closed;
    }

    private Stream<Span> openings(MaintenanceWindow window) {
        LocalDate first = from.minus(window.length()).atZone(window.zone()).toLocalDate();
        LocalDate last = until.atZone(window.zone()).toLocalDate();
        // A day more at both ends: a start that the clocks skip may be on another day.
        return first.minusDays(1)
                .datesUntil(last.plusDays(2))
                .filter(day -> window.days().contains(day.getDayOfWeek()))
                .map(window::opens)
                .map(opens -> new Span(opens, opens.plus(window.length())));
    }

    private List<Span> merged(Stream<Span> spans) {
        List<Span> merged = new ArrayList<>();
        List<Span> sorted = spans.filter(
                        span -> span.from().isBefore(until) && span.until().isAfter(from))
                .sorted(Comparator.comparing(Span::from))
                .toList();
        for (Span span : sorted) {
            Span last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            Instant begins = span.from().isBefore(from) ? from : span.from();
            Instant ends = span.until().isAfter(until) ? until : span.until();
            if (last == null || begins.isAfter(last.until())) {
                merged.add(new Span(begins, ends));
            } else if (ends.isAfter(last.until())) {
                merged.set(merged.size() - 1, new Span(last.from(), ends));
            }
        }
        return merged;
    }
}
