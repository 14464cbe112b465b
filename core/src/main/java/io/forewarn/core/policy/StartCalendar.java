package io.forewarn.core.policy;

import java.time.Instant;
import java.util.List;

/**
 * When work may start.
 *
 * @param windows in any of which it may; none: at any time
 * @param blackouts in none of which it may
 */
public record StartCalendar(List<MaintenanceWindow> windows, List<Blackout> blackouts) {
    public static final StartCalendar ALWAYS = new StartCalendar(List.of(), List.of());

    public StartCalendar {
        windows = List.copyOf(windows);
        blackouts = List.copyOf(blackouts);
    }

    public boolean isOpen(Instant at) {
        return blackouts.stream().noneMatch(b -> b.covers(at))
                && (windows.isEmpty() || windows.stream().anyMatch(w -> w.isOpen(at)));
    }

    /** A moment after {@code at} before which it does not open; only for a moment at which it is closed. */
    Instant nextChance(Instant at) {
        Instant chance = at;
        for (Blackout blackout : blackouts) {
            if (blackout.covers(at) && blackout.ends().isAfter(chance)) {
                chance = blackout.ends();
            }
        }
        return chance.isAfter(at)
                ? chance
                : windows.stream().map(w -> w.next(at)).min(Instant::compareTo).orElseThrow();
    }
}
