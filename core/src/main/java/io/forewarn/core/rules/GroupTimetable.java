package io.forewarn.core.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Keeps when which update domains of a group are down for platform work, and finds room for more of it. */
final class GroupTimetable {
    /**
     * A stretch of work.
     *
     * @param recovery how long other domains must have been up before it starts
     */
    private record Busy(Instant from, Instant to, int domain, Duration recovery) {
        boolean touches(Busy other) {
            return domain == other.domain
                    && recovery.equals(other.recovery)
                    && !from.isAfter(other.to)
                    && !other.from.isAfter(to);
        }

        Busy and(Busy other) {
            return new Busy(
                    from.isBefore(other.from) ? from : other.from,
                    to.isAfter(other.to) ? to : other.to,
                    domain,
                    recovery);
        }
    }

    private final List<Busy> busy = new ArrayList<>();

    /** The domain that comes before the place that {@link #free} found last; -1 if none does. */
    private int before = -1;

    void add(Instant from, Instant to, int domain, Duration recovery) {
        Busy added = new Busy(from, to, domain, recovery);
        // Work of one domain that runs on is one stretch, so that large groups have few.
        for (int i = busy.size() - 1; i >= 0; i--) {
            if (busy.get(i).touches(added)) {
                added = added.and(busy.remove(i));
            }
        }
        busy.add(added);
    }

    /** The first time from {@code at} on at which a domain may be down for so long. */
    Instant free(Instant at, Duration takes, int domain, Duration recovery) {
        before = -1;
        Instant found = at;
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Busy other : busy) {
                Instant recovered = other.to.plus(recovery);
                if (other.domain != domain
                        && found.isBefore(recovered)
                        && found.plus(takes).plus(other.recovery).isAfter(other.from)) {
                    found = recovered;
                    before = other.domain;
                    moved = true;
                }
            }
        }
        return found;
    }

    int before() {
        return before;
    }
}
