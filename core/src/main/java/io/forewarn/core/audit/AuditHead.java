package io.forewarn.core.audit;

/** A place in the chain of pages: the number of a page, and its hash. */
public record AuditHead(long number, String hash) {
    /** Before the first page. */
    public static final AuditHead NONE = new AuditHead(0, "0".repeat(AuditPageHash.HASH_LENGTH));
}
