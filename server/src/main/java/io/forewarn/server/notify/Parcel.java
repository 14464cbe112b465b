package io.forewarn.server.notify;

import io.forewarn.wire.notification.CloudEvent;
import io.forewarn.wire.notification.MailText;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * What is carried, in both spellings, each made when it is needed.
 *
 * @param id the same however often it is sent
 */
record Parcel(String id, Supplier<byte[]> json, Supplier<MailText> mail) {
    static Parcel of(Notice notice) {
        return new Parcel(notice.id(), notice::json, () -> MailText.of(notice.news(), notice.entry()));
    }

    static Parcel trial(String source, String id, Instant at, String name) {
        return new Parcel(id, () -> CloudEvent.trial(source, id, at, name).json(), () -> MailText.trial(name, at));
    }
}
