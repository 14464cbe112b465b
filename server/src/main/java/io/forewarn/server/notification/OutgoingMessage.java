package io.forewarn.server.notification;

import io.forewarn.wire.notification.CloudEvent;
import io.forewarn.wire.notification.MailText;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * A message to send, in both renderings, each made on first use.
 *
 * @param id the same on every attempt
 */
record OutgoingMessage(String id, Supplier<byte[]> json, Supplier<MailText> mail) {
    static OutgoingMessage of(Notification notification) {
        return new OutgoingMessage(
                notification.id(), notification::json, () -> MailText.of(notification.news(), notification.entry()));
    }

    static OutgoingMessage test(String source, String id, Instant at, String name) {
        return new OutgoingMessage(
                id, () -> CloudEvent.trial(source, id, at, name).json(), () -> MailText.trial(name, at));
    }
}
