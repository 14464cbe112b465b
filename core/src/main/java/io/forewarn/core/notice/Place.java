package io.forewarn.core.notice;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where in the log something stands, written {@code commit.entry}. As a reader's place: the last entry it is done with.
 *
 * @param entry counted from 0 within the commit's page
 */
public record Place(long commit, int entry) implements Comparable<Place> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.(\\d{1,9})");

    /** Beyond every entry of a commit. */
    public static final int END = 999_999_999;

    public static final Place BEGINNING = new Place(0, END);

    /** After all that a commit says. */
    public static Place after(long commit) {
        return new Place(commit, END);
    }

    public static Optional<Place> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new Place(Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2))))
                : Optional.empty();
    }

    /** Nothing lies between this and the entry. */
    public static Place before(long commit, int entry) {
        return entry == 0 ? after(commit - 1) : new Place(commit, entry - 1);
    }

    @Override
    public int compareTo(Place other) {
        int byCommit = Long.compare(commit, other.commit);
        return byCommit != 0 ? byCommit : Integer.compare(entry, other.entry);
    }

    public boolean isBefore(Place other) {
        return compareTo(other) < 0;
    }

    @Override
    public String toString() {
        return commit + "." + entry;
    }
}
