package io.forewarn.server.history;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the log, to go on from.
 *
 * @param commit the page
 * @param entry the last that was looked at, counted from 0 in the order things happened
 */
public record Mark(long commit, int entry) {
    /** Behind every entry of a page. */
    static final int LAST = 999_999_999;

    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.(\\d{1,9})");

    public static Optional<Mark> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new Mark(Long.parseLong(form.group(1)), Integer.parseInt(form.group(2))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return commit + "." + entry;
    }
}
