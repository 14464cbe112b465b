package io.forewarn.core.audit;

import io.forewarn.core.Stored;

/** Where the chain begins after old pages were dropped: the last one of them. */
public record AuditAnchor(AuditHead dropped) implements Stored {
    public static final String KEY = "audit-anchor";

    @Override
    public String key() {
        return KEY;
    }
}
