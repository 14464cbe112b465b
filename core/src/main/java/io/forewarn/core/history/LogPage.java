package io.forewarn.core.history;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.ZeroPadding;
import java.time.Instant;
import java.util.List;

/** Holds the history entries and idempotency records of one commit. */
public record LogPage(long commit, Instant at, List<HistoryEntry> entries, List<IdempotencyRecord> done)
        implements StoredRecord {
    public static final String PREFIX = "log/";

    public LogPage {
        entries = List.copyOf(entries);
        done = List.copyOf(done);
    }

    public static String key(long commit) {
        return PREFIX + ZeroPadding.pad(commit, 19);
    }

    @Override
    public String key() {
        return key(commit);
    }
}
