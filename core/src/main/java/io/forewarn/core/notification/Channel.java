package io.forewarn.core.notification;

/** Lists the delivery channels of notifications. */
public enum Channel {
    WEBHOOK,
    MAIL
}
