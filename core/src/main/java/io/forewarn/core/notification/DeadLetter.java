package io.forewarn.core.notification;

import io.forewarn.core.StoredRecord;
import java.time.Instant;
import java.util.Locale;

/**
 * A notification that could not be delivered however often it was tried. What it said stands in the log, at its place.
 *
 * @param what a short word for what it tells
 * @param event the id of the event it is about, or blank
 * @param at when it was given up
 * @param again somebody asked for another round of tries
 */
public record DeadLetter(
        SubscriptionId recipient,
        LogPosition place,
        String what,
        String event,
        Instant at,
        int tries,
        String error,
        boolean again)
        implements StoredRecord {
    public static final String PREFIX = "letter/";

    public static String prefix(SubscriptionId recipient) {
        return PREFIX + recipient.path() + "/";
    }

    public static String key(SubscriptionId recipient, LogPosition position) {
        return prefix(recipient) + String.format(Locale.ROOT, "%019d.%09d", position.commit(), position.entry());
    }

    /** To be tried again. */
    public DeadLetter resent() {
        return new DeadLetter(recipient, place, what, event, at, tries, error, true);
    }

    @Override
    public String key() {
        return key(recipient, place);
    }
}
