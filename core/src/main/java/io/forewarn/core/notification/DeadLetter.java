package io.forewarn.core.notification;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.ZeroPadding;
import java.time.Instant;

/**
 * Records a message that could not be delivered after all attempts. Its content is in the log: one notification at its
 * position, or, for a digest, those that the subscription wants from there to its last position.
 *
 * @param last the position of the last notification in it
 * @param what the kind of notification, or {@link #DIGEST}
 * @param event the id of the event it is about, or blank
 * @param at when delivery was given up
 * @param again whether it is to be resent
 */
public record DeadLetter(
        SubscriptionId recipient,
        LogPosition position,
        LogPosition last,
        String what,
        String event,
        Instant at,
        int tries,
        String error,
        boolean again)
        implements StoredRecord {
    public static final String PREFIX = "letter/";

    /** The kind of a message with several notifications. */
    public static final String DIGEST = "DIGEST";

    /** A letter with one notification. */
    public DeadLetter(
            SubscriptionId recipient,
            LogPosition position,
            String what,
            String event,
            Instant at,
            int tries,
            String error,
            boolean again) {
        this(recipient, position, position, what, event, at, tries, error, again);
    }

    public static String prefix(SubscriptionId recipient) {
        return PREFIX + recipient.path() + "/";
    }

    public static String key(SubscriptionId recipient, LogPosition position) {
        return prefix(recipient) + ZeroPadding.pad(position.commit(), 19) + "." + ZeroPadding.pad(position.entry(), 9);
    }

    /** The same letter, to be resent. */
    public DeadLetter resent() {
        return new DeadLetter(recipient, position, last, what, event, at, tries, error, true);
    }

    @Override
    public String key() {
        return key(recipient, position);
    }
}
