package io.forewarn.core.notification;

import io.forewarn.core.StoredRecord;

/**
 * Records how far the notifications of a subscription were delivered.
 *
 * @param position the last entry that is settled
 * @param delivered total number of delivered notifications
 * @param dead number of its dead letters
 */
public record DeliveryCursor(SubscriptionId recipient, LogPosition position, long delivered, int dead)
        implements StoredRecord {
    public static final String PREFIX = "cursor/";

    @Override
    public String key() {
        return PREFIX + recipient.path();
    }
}
