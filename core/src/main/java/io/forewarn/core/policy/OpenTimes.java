package io.forewarn.core.policy;

import io.forewarn.core.policy.ClosedTimes.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Answers when a calendar is open, from a time on. Its blackouts are converted to instants once: there may be many, and many are asked about. */
final class OpenTimes {
    /** A search never looks further, so that no blackout is cut off before its end. */
    private static final Duration FAR = Duration.ofDays(366_000);

    private final StartCalendar calendar;
    private final List<Span> blackouts;

    OpenTimes(StartCalendar calendar, Instant from) {
        this.calendar = calendar;
        this.blackouts = calendar.blackouts().isEmpty()
                ? List.of()
                : new ClosedTimes(from, from.plus(FAR)).of(calendar.blackouts());
    }

    boolean isOpen(Instant at) {
        return blackout(at).isEmpty() && calendar.isInWindow(at);
    }

    private Optional<Span> blackout(Instant at) {
        return StartCalendar.isOver(calendar.blackoutsUntil(), at)
                ? Optional.empty()
                : blackouts.stream()
                        .filter(span -> !at.isBefore(span.from()) && at.isBefore(span.until()))
                        .findFirst();
    }

    /** A lower bound for the next opening after {@code at}, at which it must be closed. */
    Instant nextChance(Instant at) {
        Optional<Span> blackout = blackout(at);
        if (blackout.isPresent()) {
            return earlier(blackout.get().until(), calendar.blackoutsUntil());
        }
        Instant opens = calendar.windows().stream()
                .map(window -> window.next(at))
                .min(Instant::compareTo)
                .orElseThrow();
        return earlier(opens, calendar.windowsUntil());
    }

    private static Instant earlier(Instant chance, Instant until) {
        return until != null && until.isBefore(chance) ? until : chance;
    }
}
