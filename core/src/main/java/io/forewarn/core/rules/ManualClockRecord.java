package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import java.time.Instant;

/** The time of the manual clock. */
public record ManualClockRecord(Instant now) implements StoredRecord {
    public static final String KEY = "clock";

    @Override
    public String key() {
        return KEY;
    }
}
