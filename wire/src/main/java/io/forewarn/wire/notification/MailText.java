package io.forewarn.wire.notification;

import io.forewarn.core.Actor;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Renders a notification as mail. User-supplied text cannot add lines. */
public record MailText(String subject, String text) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "EEE d MMM yyyy HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int LONGEST_SUBJECT = 120;
    private static final int LONGEST_LINE = 900;
    private static final int NAMED = 3;

    public static MailText of(NotificationType news, HistoryEntry entry) {
        String headline = headline(news, entry);
        StringBuilder text = new StringBuilder(headline).append(".\n\n");
        line(text, "When", TIME.format(entry.at()));
        if (entry.group() != null) {
            line(text, "Group", entry.group().toString());
        }
        line(text, "Machines", String.join(", ", entry.machines()));
        if (entry.cause() != null) {
            line(
                    text,
                    "Work",
                    EnumNames.of(entry.cause().type()) + ": " + entry.cause().description());
            line(text, "Cause", EnumNames.of(entry.cause()));
        }
        if (entry.notBefore() != null) {
            line(text, "Not before", TIME.format(entry.notBefore()));
        }
        if (entry.promised() != null) {
            line(text, "Notice", Durations.print(entry.promised()) + " promised" + given(entry));
        }
        line(text, "By", by(entry.actor()));
        line(text, "Detail", entry.detail());
        if (entry.event() != null) {
            line(text, "Event", entry.event().toString());
            text.append("\nDetails:  forewarn event show ")
                    .append(entry.event())
                    .append('\n');
        }
        return new MailText(clean("Forewarn: " + headline, LONGEST_SUBJECT), text.toString());
    }

    public static MailText trial(String name, Instant at) {
        return new MailText(
                clean("Forewarn: test of " + name, LONGEST_SUBJECT),
                "This is a test: nothing happened. Mail for this subscription arrives here.\n\nWhen: " + TIME.format(at)
                        + "\n");
    }

    private static String headline(NotificationType news, HistoryEntry entry) {
        String whom = entry.machines().isEmpty()
                ? entry.group() == null ? "" : " of group " + entry.group()
                : " of " + machines(entry);
        String what = entry.cause() == null ? "" : EnumNames.of(entry.cause().type()) + whom + " ";
        return clean(
                switch (news) {
                    case SCHEDULED -> what + "is scheduled";
                    case WAITING -> what + "is waiting";
                    case MOVED -> what + "comes later than first scheduled";
                    case POSTPONED -> what + "is postponed";
                    case APPROVED -> what + "is approved";
                    case STARTED -> what + "has started";
                    case TRIED_AGAIN -> what + "is being retried";
                    case JOINED -> what + "was joined by another failure";
                    case CANCELLED -> what + "is cancelled";
                    case SUPERSEDED -> what + "was superseded";
                    case COMPLETED -> what + "is done";
                    case FAILED -> what + "has failed";
                    default -> EnumNames.of(news).replace('-', ' ') + (whom.isEmpty() ? " " + entry.detail() : whom);
                },
                LONGEST_SUBJECT);
    }

    private static String machines(HistoryEntry entry) {
        int more = entry.machines().size() - NAMED;
        return String.join(
                        ", ",
                        entry.machines()
                                .subList(0, Math.min(NAMED, entry.machines().size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private static String given(HistoryEntry entry) {
        return entry.given() == null ? "" : ", " + Durations.print(entry.given()) + " given";
    }

    private static String by(Actor actor) {
        return actor.name().isEmpty() ? "the service itself" : EnumNames.of(actor.kind()) + " " + actor.name();
    }

    private static void line(StringBuilder text, String name, String value) {
        if (!value.isBlank()) {
            text.append(name).append(": ").append(clean(value, LONGEST_LINE)).append('\n');
        }
    }

    /** The printable characters, as one line. */
    private static String clean(String value, int longest) {
        String line = value.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
        return line.length() <= longest ? line : line.substring(0, longest - 1) + "…";
    }
}
