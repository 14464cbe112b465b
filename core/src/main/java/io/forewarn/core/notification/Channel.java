package io.forewarn.core.notification;

/** How a recipient is told. */
public enum Channel {
    WEBHOOK,
    MAIL
}
