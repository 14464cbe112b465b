package io.forewarn.core.audit;

import io.forewarn.core.StoredRecord;
import java.time.Instant;

/**
 * Where the chain begins after old pages were dropped: the last one of them. And what the last sweep did, to history as well.
 *
 * @param at when something was dropped last; null if an older release did
 * @param before what is older than this was dropped then; null if an older release did
 */
public record AuditAnchor(AuditHead dropped, Instant at, Instant before) implements StoredRecord {
    public static final String KEY = "audit-anchor";

    @Override
    public String key() {
        return KEY;
    }
}
