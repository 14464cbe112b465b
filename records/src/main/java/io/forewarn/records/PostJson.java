package io.forewarn.records;

import io.forewarn.core.notice.Cursor;
import io.forewarn.core.notice.Letter;
import io.forewarn.core.notice.Place;
import java.io.IOException;
import java.time.Instant;

/** How far somebody was told, and what could not be delivered. */
final class PostJson {
    private PostJson() {}

    static void write(JsonOut out, Cursor cursor) throws IOException {
        RecipientJson.id(out, cursor.recipient());
        out.text("place", cursor.place());
        out.number("told", cursor.told());
        out.number("dead", cursor.dead());
    }

    static Cursor readCursor(JsonIn in) throws IOException {
        RecipientJson.Id id = new RecipientJson.Id();
        Place place = null;
        long told = 0;
        int dead = 0;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "place" -> place = place(in);
                case "told" -> told = in.bigNumber();
                case "dead" -> dead = in.number();
                default -> id.take(name, in);
            }
        }
        return new Cursor(id.whole(), Damaged.unlessNull(place, "place"), told, dead);
    }

    static void write(JsonOut out, Letter letter) throws IOException {
        RecipientJson.id(out, letter.recipient());
        out.text("place", letter.place());
        out.text("what", letter.what());
        out.blankable("event", letter.event());
        out.instant("at", letter.at());
        out.number("tries", letter.tries());
        out.blankable("error", letter.error());
        out.flag("again", letter.again());
    }

    static Letter readLetter(JsonIn in) throws IOException {
        RecipientJson.Id id = new RecipientJson.Id();
        Place place = null;
        String what = null;
        String event = "";
        Instant at = null;
        int tries = 0;
        String error = "";
        boolean again = false;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "place" -> place = place(in);
                case "what" -> what = in.text();
                case "event" -> event = in.text();
                case "at" -> at = in.instant();
                case "tries" -> tries = in.number();
                case "error" -> error = in.text();
                case "again" -> again = in.flag();
                default -> id.take(name, in);
            }
        }
        return new Letter(
                id.whole(),
                Damaged.unlessNull(place, "place"),
                Damaged.unlessNull(what, "what"),
                event,
                Damaged.unlessNull(at, "at"),
                tries,
                error,
                again);
    }

    private static Place place(JsonIn in) throws IOException {
        String text = in.text();
        return Place.parse(text).orElseThrow(() -> new Damaged("'" + text + "' is no place in the log"));
    }
}
