package io.forewarn.core.notification;

import io.forewarn.core.StoredRecord;

/**
 * How far a recipient was told.
 *
 * @param place the last entry it need not be told again
 * @param told how many notifications it took in all
 * @param dead how many letters of its lie undelivered
 */
public record DeliveryCursor(SubscriptionId recipient, LogPosition place, long told, int dead) implements StoredRecord {
    public static final String PREFIX = "cursor/";

    @Override
    public String key() {
        return PREFIX + recipient.path();
    }
}
