package io.forewarn.core.audit;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.ZeroPadding;
import java.time.Instant;
import java.util.List;

/**
 * Holds the audit entries of one commit. It is stored with its hash: see {@link AuditPageHash}.
 *
 * @param number one more than that of the previous page
 * @param commit the commit that wrote it, together with the changes it records
 * @param before the hash of the previous page
 */
public record AuditPage(long number, long commit, Instant at, String before, List<AuditEntry> deeds)
        implements StoredRecord {
    public static final String PREFIX = "audit/";

    private static final int DIGITS = 19;

    public AuditPage {
        deeds = List.copyOf(deeds);
    }

    public static String key(long number) {
        return PREFIX + ZeroPadding.pad(number, DIGITS);
    }

    /** The page number of a key; -1 if it is not a page. */
    public static long number(String key) {
        String digits = key.substring(Math.min(PREFIX.length(), key.length()));
        boolean whole = key.startsWith(PREFIX)
                && digits.length() == DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        try {
            return whole ? Long.parseLong(digits) : -1;
        } catch (NumberFormatException tooLarge) {
            return -1;
        }
    }

    @Override
    public String key() {
        return key(number);
    }
}
