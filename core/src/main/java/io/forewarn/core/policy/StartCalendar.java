package io.forewarn.core.policy;

import java.time.Instant;
import java.util.List;

/**
 * When work may start.
 *
 * @param windows in any of which it may; none: at any time
 * @param blackouts in none of which it may
 * @param windowsUntil from then on the windows are not looked at; null for no end
 * @param blackoutsUntil from then on the blackouts are not looked at; null for no end
 */
public record StartCalendar(
        List<MaintenanceWindow> windows, List<Blackout> blackouts, Instant windowsUntil, Instant blackoutsUntil) {
    public static final StartCalendar ALWAYS = new StartCalendar(List.of(), List.of());

    public StartCalendar {
        windows = List.copyOf(windows);
        blackouts = List.copyOf(blackouts);
    }

    /** Without an end. */
    public StartCalendar(List<MaintenanceWindow> windows, List<Blackout> blackouts) {
        this(windows, blackouts, null, null);
    }

    public boolean isOpen(Instant at) {
        return !isBlackout(at)
                && (windows.isEmpty()
                        || isOver(windowsUntil, at)
                        || windows.stream().anyMatch(w -> w.isOpen(at)));
    }

    public boolean isBlackout(Instant at) {
        return !isOver(blackoutsUntil, at) && blackouts.stream().anyMatch(b -> b.covers(at));
    }

    private static boolean isOver(Instant until, Instant at) {
        return until != null && !at.isBefore(until);
    }

    private static Instant earlier(Instant chance, Instant until) {
        return until != null && until.isBefore(chance) ? until : chance;
    }

    /** A moment after {@code at} before which it does not open; only for a moment at which it is closed. */
    Instant nextChance(Instant at) {
        Instant chance = at;
        for (Blackout blackout : blackouts) {
            if (isBlackout(at) && blackout.covers(at) && blackout.ends().isAfter(chance)) {
                chance = blackout.ends();
            }
        }
        if (chance.isAfter(at)) {
            return earlier(chance, blackoutsUntil);
        }
        Instant opens =
                windows.stream().map(w -> w.next(at)).min(Instant::compareTo).orElseThrow();
        return earlier(opens, windowsUntil);
    }
}
