package io.forewarn.core.audit;

/** Identifies a page of the chain by its number and hash. */
public record AuditHead(long number, String hash) {
    /** Before the first page. */
    public static final AuditHead NONE = new AuditHead(0, "0".repeat(AuditPageHash.HASH_LENGTH));
}
