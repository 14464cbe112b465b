package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Describes a weekly maintenance window. It has its full length even if clocks change meanwhile. A start that
 * the clocks skip is later by as much; of one that occurs twice, the first counts.
 *
 * @param days on which it opens
 * @param start local time in the zone
 * @param length positive, at most a week
 */
public record MaintenanceWindow(Set<DayOfWeek> days, LocalTime start, Duration length, ZoneId zone) {
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final int WEEK = 7;

    public MaintenanceWindow {
        if (days.isEmpty()) {
            throw new RefusedException(Problem.BAD_INPUT, "a window opens on at least one day, such as sat or mon-fri");
        }
        if (length.isNegative() || length.isZero()) {
            throw new RefusedException(Problem.BAD_INPUT, "a window must have a length, such as 4h");
        }
        if (length.compareTo(LONGEST) > 0) {
            throw new RefusedException(Problem.BAD_INPUT, "a window repeats every week, so it lasts at most 7d");
        }
        days = Collections.unmodifiableSet(EnumSet.copyOf(days));
    }

    boolean isOpen(Instant at) {
        LocalDate today = at.atZone(zone).toLocalDate();
        // One day more than its length: a shifted start may cross midnight.
        for (long back = -1; back <= length.toDays() + 1; back++) {
            LocalDate day = today.minusDays(back);
            if (days.contains(day.getDayOfWeek())) {
                Instant opens = opens(day);
                if (!opens.isAfter(at) && opens.plus(length).isAfter(at)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The first opening after an instant. */
    Instant next(Instant after) {
        LocalDate today = after.atZone(zone).toLocalDate();
        Instant first = null;
        for (int on = -1; on <= WEEK + 1; on++) {
            LocalDate day = today.plusDays(on);
            if (days.contains(day.getDayOfWeek())) {
                Instant opens = opens(day);
                if (opens.isAfter(after) && (first == null || opens.isBefore(first))) {
                    first = opens;
                }
            }
        }
        return first;
    }

    /** When it opens if it does on that day. */
    Instant opens(LocalDate day) {
        return ZonedDateTime.of(day, start, zone).toInstant();
    }
}
