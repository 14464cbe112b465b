package io.forewarn.wire.control;

import java.util.List;

/**
 * A webhook or mail subscription.
 *
 * @param tenant the tenant it is limited to, or * for all
 * @param url target of a webhook
 * @param to mail addresses
 * @param groups the groups it is limited to
 * @param kinds the kinds of notification it is subscribed to
 * @param delivered number of notifications delivered
 * @param pending number of notifications still to be sent, not counting dead letters; absent while the log cannot be read
 * @param deadLetters number of dead letters
 * @param failedAttempts number of failed attempts to send the next notification; known only to the writer
 * @param lastError why the last attempt failed; absent if it succeeded; known only to the writer
 * @param digest how often mail is sent: now, hourly or daily
 * @param nextDigest when the next digest is sent, if there are notifications for it
 * @param zone time zone of the times in its messages
 * @param format body of a webhook: cloudevents or slack
 * @param secret secret with which webhooks are signed; shown only once, and only if the service created it
 */
public record SubscriptionBody(
        String name,
        String tenant,
        String url,
        List<String> to,
        List<String> groups,
        List<String> kinds,
        String createdAt,
        Long delivered,
        Long pending,
        Integer deadLetters,
        Integer failedAttempts,
        String lastError,
        String digest,
        String nextDigest,
        String zone,
        String format,
        String secret) {}
