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
     * The first day of the coming year from which a calendar stays closed for longer than {@code most}; empty if there
     * is none.
     */
    public static Optional<Instant> closedLonger(Instant now, StartCalendar calendar, Duration most) {
        for (int day = 0; day < HORIZON.toDays(); day++) {
            Instant from = now.plus(Duration.ofDays(day));
            if (!calendar.isOpen(from)
                    && earliest(from, List.of(calendar))
                            .map(opens -> opens.isAfter(from.plus(most)))
                            .orElse(true)) {
                return Optional.of(from);
            }
        }
        return Optional.empty();
    }

    /** The first instant from {@code from} on at which all are open; empty if there is none within a year. */
    public static Optional<Instant> earliest(Instant from, List<StartCalendar> calendars) {
        Instant end = from.plus(HORIZON);
        Instant at = from;
        while (!at.isAfter(end)) {
            Instant later = at;
            for (StartCalendar calendar : calendars) {
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
