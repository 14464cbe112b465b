package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import java.time.Instant;

/** Where the manual clock stands. */
public record ManualClockRecord(Instant now) implements StoredRecord {
    public static final String KEY = "clock";

    @Override
    public String key() {
        return KEY;
    }
}
