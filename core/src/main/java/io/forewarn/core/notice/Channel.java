package io.forewarn.core.notice;

/** How a recipient is told. */
public enum Channel {
    WEBHOOK,
    MAIL
}
