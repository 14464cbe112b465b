package io.forewarn.core.audit;

import io.forewarn.core.StoredRecord;
import java.time.Instant;

/**
 * Records where the chain begins after old pages were removed: the last one of them; and what retention last removed,
 * from history as well.
 *
 * @param at when something was last removed; null if by an older release
 * @param before the age limit that was applied; null if by an older release
 */
public record AuditAnchor(AuditHead dropped, Instant at, Instant before) implements StoredRecord {
    public static final String KEY = "audit-anchor";

    @Override
    public String key() {
        return KEY;
    }
}
