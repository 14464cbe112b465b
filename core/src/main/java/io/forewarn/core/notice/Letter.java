package io.forewarn.core.notice;

import io.forewarn.core.StoredRecord;
import java.time.Instant;
import java.util.Locale;

/**
 * A notice that could not be delivered however often it was tried. What it said stands in the log, at its place.
 *
 * @param what a short word for what it tells
 * @param event the id of the event it is about, or blank
 * @param at when it was given up
 * @param again somebody asked for another round of tries
 */
public record Letter(
        RecipientId recipient,
        Place place,
        String what,
        String event,
        Instant at,
        int tries,
        String error,
        boolean again)
        implements StoredRecord {
    public static final String PREFIX = "letter/";

    public static String prefix(RecipientId recipient) {
        return PREFIX + recipient.path() + "/";
    }

    public static String key(RecipientId recipient, Place place) {
        return prefix(recipient) + String.format(Locale.ROOT, "%019d.%09d", place.commit(), place.entry());
    }

    /** To be tried again. */
    public Letter resent() {
        return new Letter(recipient, place, what, event, at, tries, error, true);
    }

    @Override
    public String key() {
        return key(recipient, place);
    }
}
