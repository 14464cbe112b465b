package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** Days on which nothing starts, the first and the last included, by the calendar of the zone. */
public record Blackout(LocalDate first, LocalDate last, ZoneId zone) {
    public Blackout {
        if (last.isBefore(first)) {
            throw new Refusal(
                    Problem.BAD_INPUT, "the blackout " + first + ".." + last + " ends before it begins; swap the two");
        }
    }

    boolean covers(Instant at) {
        return !at.isBefore(first.atStartOfDay(zone).toInstant()) && at.isBefore(ends());
    }

    /** The first moment after it. */
    Instant ends() {
        return last.plusDays(1).atStartOfDay(zone).toInstant();
    }
}
