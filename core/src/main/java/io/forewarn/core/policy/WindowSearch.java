package io.forewarn.core.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds when work may start that several calendars apply to. */
public final class WindowSearch {
    /** The search limit: a calendar that does not open within it counts as never open. */
    public static final Duration HORIZON = Duration.ofDays(366);

    private WindowSearch() {}

    /**
     * The first time in the coming year from which a calendar stays closed for longer than {@code most}; empty if there is
     * none.
     */
    public static Optional<Instant> closedLonger(Instant now, StartCalendar calendar, Duration most) {
        Instant end = now.plus(HORIZON);
        Instant from = now;
        while (from.isBefore(end)) {
            Optional<Instant> opens = earliest(from, List.of(calendar));
            if (opens.isEmpty() || opens.get().isAfter(from.plus(most))) {
                return Optional.of(from);
            }
            from = calendar.closes(opens.get()).orElse(end);
        }
        return Optional.empty();
    }

    /** The first instant from {@code from} on at which all are open; empty if there is none within a year. */
    public static Optional<Instant> earliest(Instant from, List<StartCalendar> calendars) {
        Instant end = from.plus(HORIZON);
        Instant at = from;
        List<OpenTimes> times = calendars.stream()
                .map(calendar -> new OpenTimes(calendar, from))
                .toList();
        while (!at.isAfter(end)) {
            Instant later = at;
            for (OpenTimes calendar : times) {
                if (!calendar.isOpen(later)) {
                    later = calendar.nextChance(later);
                }
            }
            if (later.equals(at)) {
                return Optional.of(at);
            }
            at = later;
        }
        return Optional.empty();
    }
}
