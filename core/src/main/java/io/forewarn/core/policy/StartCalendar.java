package io.forewarn.core.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Defines when work may start.
 *
 * @param windows it may start in any of these; empty: at any time
 * @param blackouts it may start in none of these
 * @param windowsUntil when the windows no longer apply; null for never
 * @param blackoutsUntil when the blackouts no longer apply; null for never
 */
public record StartCalendar(
        List<MaintenanceWindow> windows, List<Blackout> blackouts, Instant windowsUntil, Instant blackoutsUntil) {
    public static final StartCalendar ALWAYS = new StartCalendar(List.of(), List.of());

    public StartCalendar {
        windows = List.copyOf(windows);
        blackouts = List.copyOf(blackouts);
    }

    /** A calendar that applies forever. */
    public StartCalendar(List<MaintenanceWindow> windows, List<Blackout> blackouts) {
        this(windows, blackouts, null, null);
    }

    public boolean isOpen(Instant at) {
        return !isBlackout(at) && isInWindow(at);
    }

    boolean isInWindow(Instant at) {
        return windows.isEmpty() || isOver(windowsUntil, at) || windows.stream().anyMatch(w -> w.isOpen(at));
    }

    /** When no work may start any more after a time at which it may; empty if that is not within a year. */
    public Optional<Instant> closes(Instant at) {
        // Windows are the same every week.
        ClosedTimes week = new ClosedTimes(at, at.plus(Duration.ofDays(7)));
        ClosedTimes year = new ClosedTimes(at, at.plus(WindowSearch.HORIZON));
        return Stream.concat(
                        windows.isEmpty() ? Stream.empty() : week.between(windows).stream(),
                        year.of(blackouts).stream())
                .map(ClosedTimes.Span::from)
                .filter(from -> from.isAfter(at))
                .min(Instant::compareTo);
    }

    public boolean isBlackout(Instant at) {
        return !isOver(blackoutsUntil, at) && blackouts.stream().anyMatch(b -> b.covers(at));
    }

    static boolean isOver(Instant until, Instant at) {
        return until != null && !at.isBefore(until);
    }
}
