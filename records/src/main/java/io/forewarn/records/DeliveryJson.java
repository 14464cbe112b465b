package io.forewarn.records;

import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.LogPosition;
import java.io.IOException;
import java.time.Instant;

/** Reads and writes delivery cursors and dead letters. */
final class DeliveryJson {
    private DeliveryJson() {}

    static void write(JsonWriter out, DeliveryCursor cursor) throws IOException {
        SubscriptionJson.id(out, cursor.recipient());
        out.text("place", cursor.position());
        out.number("told", cursor.delivered());
        out.number("dead", cursor.dead());
    }

    static DeliveryCursor readCursor(JsonReader in) throws IOException {
        SubscriptionJson.Id id = new SubscriptionJson.Id();
        LogPosition position = null;
        long delivered = 0;
        int dead = 0;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "place" -> position = position(in);
                case "told" -> delivered = in.bigNumber();
                case "dead" -> dead = in.number();
                default -> id.take(name, in);
            }
        }
        return new DeliveryCursor(id.whole(), DamagedRecordException.unlessNull(position, "place"), delivered, dead);
    }

    static void write(JsonWriter out, DeadLetter letter) throws IOException {
        SubscriptionJson.id(out, letter.recipient());
        out.text("place", letter.position());
        if (!letter.last().equals(letter.position())) {
            out.text("last", letter.last());
        }
        out.text("what", letter.what());
        out.blankable("event", letter.event());
        out.instant("at", letter.at());
        out.number("tries", letter.tries());
        out.blankable("error", letter.error());
        out.flag("again", letter.again());
    }

    static DeadLetter readLetter(JsonReader in) throws IOException {
        SubscriptionJson.Id id = new SubscriptionJson.Id();
        LogPosition position = null;
        LogPosition last = null;
        String what = null;
        String event = "";
        Instant at = null;
        int tries = 0;
        String error = "";
        boolean again = false;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "place" -> position = position(in);
                case "last" -> last = position(in);
                case "what" -> what = in.text();
                case "event" -> event = in.text();
                case "at" -> at = in.instant();
                case "tries" -> tries = in.number();
                case "error" -> error = in.text();
                case "again" -> again = in.flag();
                default -> id.take(name, in);
            }
        }
        return new DeadLetter(
                id.whole(),
                DamagedRecordException.unlessNull(position, "place"),
                last == null ? position : last,
                DamagedRecordException.unlessNull(what, "what"),
                event,
                DamagedRecordException.unlessNull(at, "at"),
                tries,
                error,
                again);
    }

    private static LogPosition position(JsonReader in) throws IOException {
        String text = in.text();
        return LogPosition.parse(text)
                .orElseThrow(() -> new DamagedRecordException("'" + text + "' is not a position in the log"));
    }
}
