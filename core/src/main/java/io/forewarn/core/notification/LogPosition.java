package io.forewarn.core.notification;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Represents a position in the log, written {@code commit.entry}. For a reader: the last entry that it has processed.
 *
 * @param entry counted from 0 within the commit's page
 */
public record LogPosition(long commit, int entry) implements Comparable<LogPosition> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.(\\d{1,9})");

    /** Beyond every entry of a commit. */
    public static final int END = 999_999_999;

    public static final LogPosition BEGINNING = new LogPosition(0, END);

    /** After all entries of a commit. */
    public static LogPosition after(long commit) {
        return new LogPosition(commit, END);
    }

    public static Optional<LogPosition> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new LogPosition(Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2))))
                : Optional.empty();
    }

    /** Directly before the entry. */
    public static LogPosition before(long commit, int entry) {
        return entry == 0 ? after(commit - 1) : new LogPosition(commit, entry - 1);
    }

    @Override
    public int compareTo(LogPosition other) {
        int byCommit = Long.compare(commit, other.commit);
        return byCommit != 0 ? byCommit : Integer.compare(entry, other.entry);
    }

    public boolean isBefore(LogPosition other) {
        return compareTo(other) < 0;
    }

    @Override
    public String toString() {
        return commit + "." + entry;
    }
}
