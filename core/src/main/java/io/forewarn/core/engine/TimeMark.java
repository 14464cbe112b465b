package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The service time as known to the service, written periodically.
 *
 * @param at service time, when documents could be read
 * @param proven the time by which history ages: see {@link RetentionClock}
 * @param uptime of the machine at that time
 * @param commit the one that wrote it; 0 if an earlier release wrote it
 * @param doubt by how much service time may be too late: see {@link Clock#doubt}
 * @param downtime what did not count as notice for the events that waited then: see {@link DowntimeTracker}
 */
public record TimeMark(
        Instant at, Instant proven, Uptime uptime, long commit, Duration doubt, List<DowntimeSpan> downtime)
        implements StoredRecord {
    public static final String KEY = "time";

    @Override
    public String key() {
        return KEY;
    }
}
