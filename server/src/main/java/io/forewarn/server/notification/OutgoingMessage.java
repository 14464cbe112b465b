package io.forewarn.server.notification;

import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.WebhookFormat;
import io.forewarn.wire.notification.CloudEvent;
import io.forewarn.wire.notification.MailText;
import io.forewarn.wire.notification.SlackMessage;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A message to send, for either channel; each rendering is made on first use.
 *
 * @param id the same on every attempt
 * @param threads what the message belongs to, the widest first: mail about the same rollout or event is shown together
 */
record OutgoingMessage(String id, List<String> threads, Supplier<Body> body, Supplier<MailText> mail) {
    private static final String DIGESTS = "digest";

    /** The body of a webhook. */
    record Body(byte[] bytes, String mediaType) {}

    /** One notification. */
    static OutgoingMessage of(Notification notification, Subscription subscription, ZoneId zone) {
        return new OutgoingMessage(
                notification.id(),
                threads(notification.entry()),
                () -> subscription.options().format() == WebhookFormat.SLACK
                        ? new Body(
                                SlackMessage.of(notification.news(), notification.entry(), zone)
                                        .json(),
                                SlackMessage.MEDIA_TYPE)
                        : new Body(notification.json(), CloudEvent.MEDIA_TYPE),
                () -> MailText.of(notification.news(), notification.entry(), zone));
    }

    /** All notifications of one period. */
    static OutgoingMessage digest(List<Notification> notifications, DigestSchedule schedule) {
        Notification first = notifications.get(0);
        Notification last = notifications.get(notifications.size() - 1);
        return new OutgoingMessage(
                DIGESTS + "-" + first.id() + "-" + last.position(),
                List.of(DIGESTS),
                () -> {
                    throw new IllegalStateException("a webhook gets no digest");
                },
                () -> MailText.digest(
                        notifications.stream()
                                .map(n -> new MailText.Item(n.news(), n.entry()))
                                .toList(),
                        schedule.end(first.entry().at()),
                        schedule.zone()));
    }

    static OutgoingMessage test(String source, String id, Instant at, Subscription subscription, ZoneId zone) {
        String name = subscription.id().toString();
        return new OutgoingMessage(
                id,
                List.of(),
                () -> subscription.options().format() == WebhookFormat.SLACK
                        ? new Body(SlackMessage.trial(name).json(), SlackMessage.MEDIA_TYPE)
                        : new Body(CloudEvent.trial(source, id, at, name).json(), CloudEvent.MEDIA_TYPE),
                () -> MailText.trial(name, at, zone));
    }

    private static List<String> threads(HistoryEntry entry) {
        List<String> threads = new ArrayList<>();
        if (entry.rollout() != null) {
            threads.add("rollout-" + entry.rollout());
        }
        if (entry.event() != null) {
            threads.add("event-" + entry.event());
        }
        return threads;
    }
}
