package io.forewarn.core.audit;

import io.forewarn.core.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What one commit was asked to do, and by whom. It is stored sealed: see {@link AuditPageHash}.
 *
 * @param number one more than the page before
 * @param commit in which it was written, together with what it tells of
 * @param before the hash of the page before
 */
public record AuditPage(long number, long commit, Instant at, String before, List<AuditEntry> deeds)
        implements StoredRecord {
    public static final String PREFIX = "audit/";

    private static final int DIGITS = 19;

    public AuditPage {
        deeds = List.copyOf(deeds);
    }

    public static String key(long number) {
        return PREFIX + String.format(Locale.ROOT, "%0" + DIGITS + "d", number);
    }

    /** Which page a key is of; -1 if it is of none. */
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
