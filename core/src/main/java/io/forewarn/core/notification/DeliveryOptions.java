package io.forewarn.core.notification;

import java.time.ZoneId;

/**
 * Holds how a subscription wants its notifications.
 *
 * @param digest of mail; a webhook gets each notification at once
 * @param zone the zone of the times that people read; null for the service's default
 * @param format of a webhook's body
 */
public record DeliveryOptions(DigestSchedule.Frequency digest, ZoneId zone, WebhookFormat format) {
    public static final DeliveryOptions DEFAULTS =
            new DeliveryOptions(DigestSchedule.Frequency.NOW, null, WebhookFormat.CLOUDEVENTS);
}
