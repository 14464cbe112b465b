package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.Uptime;
import java.time.Instant;

/**
 * What time the service knew it was, written now and then.
 *
 * @param at service time, when documents could be read
 * @param proven the time by which history is old: see {@link RetentionClock}
 * @param uptime of the machine at that time
 */
public record TimeMark(Instant at, Instant proven, Uptime uptime) implements StoredRecord {
    public static final String KEY = "time";

    @Override
    public String key() {
        return KEY;
    }
}
