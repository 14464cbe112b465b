package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** Describes days on which nothing starts, from the first to the last inclusive, in the zone's calendar. */
public record Blackout(LocalDate first, LocalDate last, ZoneId zone) {
    private static final LocalDate EARLIEST = LocalDate.of(1970, 1, 1);
    private static final LocalDate LATEST = LocalDate.of(2199, 12, 31);

    public Blackout {
        if (last.isBefore(first)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the blackout " + first + ".." + last + " ends before it begins; swap the two");
        }
        if (first.isBefore(EARLIEST) || last.isAfter(LATEST)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the blackout " + first + ".." + last + " is not between " + EARLIEST + " and " + LATEST);
        }
    }

    boolean covers(Instant at) {
        return !at.isBefore(first.atStartOfDay(zone).toInstant()) && at.isBefore(ends());
    }

    /** The first instant after it. */
    Instant ends() {
        return last.plusDays(1).atStartOfDay(zone).toInstant();
    }
}
