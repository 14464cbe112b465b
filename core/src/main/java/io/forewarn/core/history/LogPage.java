package io.forewarn.core.history;

import io.forewarn.core.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Holds the history entries and idempotency records of one commit. */
public record LogPage(long commit, Instant at, List<HistoryEntry> entries, List<IdempotencyRecord> done)
        implements StoredRecord {
    public static final String PREFIX = "log/";

    public LogPage {
        entries = List.copyOf(entries);
        done = List.copyOf(done);
    }

    public static String key(long commit) {
        return PREFIX + String.format(Locale.ROOT, "%019d", commit);
    }

    @Override
    public String key() {
        return key(commit);
    }
}
