package io.forewarn.core.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds when work may start that several calendars have a say in. */
public final class WindowSearch {
    /** Farther ahead nobody looks: what does not open within it never does. */
    public static final Duration HORIZON = Duration.ofDays(366);

    private WindowSearch() {}

    /** The first moment, {@code from} included, at which all are open; empty if there is none within a year. */
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
