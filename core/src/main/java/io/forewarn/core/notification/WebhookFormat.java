package io.forewarn.core.notification;

/** Lists the formats of a webhook's body. */
public enum WebhookFormat {
    /** CloudEvents 1.0 in structured JSON. */
    CLOUDEVENTS,
    /** A message for an incoming webhook of Slack, or of a program that accepts the same. */
    SLACK
}
