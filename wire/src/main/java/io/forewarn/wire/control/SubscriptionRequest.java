package io.forewarn.wire.control;

import java.util.List;

/**
 * A subscription to add.
 *
 * @param tenant the tenant it is limited to; default: all tenants of the token
 * @param url target of a webhook
 * @param to mail addresses
 * @param groups the groups it is limited to; default: all
 * @param kinds the kinds of notification to subscribe to, or all; default: the lifecycle of events and rollouts
 * @param secret secret with which webhooks are signed; default: a new one, shown once
 * @param digest how often mail is sent: now (each notification at once), hourly or daily; default: now
 * @param zone time zone of the times in its messages, such as Europe/Berlin; default: the setting clock.zone
 * @param format body of a webhook: cloudevents or slack; default: cloudevents
 */
public record SubscriptionRequest(
        String name,
        String tenant,
        String url,
        List<String> to,
        List<String> groups,
        List<String> kinds,
        String secret,
        String digest,
        String zone,
        String format) {}
