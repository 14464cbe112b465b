package io.forewarn.wire.notification;

import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.NotificationType;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Renders notifications as mail. User-supplied text cannot add lines. */
public record MailText(String subject, String text) {
    /** One notification of a digest. */
    public record Item(NotificationType news, HistoryEntry entry) {}

    private static final String PREFIX = "Forewarn: ";
    private static final int LONGEST_SUBJECT = 250;
    private static final Set<NotificationType> DATES = Set.of(
            NotificationType.SCHEDULED,
            NotificationType.MOVED,
            NotificationType.POSTPONED,
            NotificationType.ROLLOUT_PLANNED,
            NotificationType.ROLLOUT_MOVED);

    public static MailText of(NotificationType news, HistoryEntry entry, ZoneId zone) {
        String headline = Headline.of(news, entry, zone);
        StringBuilder text = new StringBuilder(headline).append(".\n\n");
        if (news == NotificationType.ROLLOUT_PLANNED) {
            text.append(timetable(entry, zone, "")).append('\n');
        }
        NotificationFacts.of(entry, zone).forEach((name, value) -> {
            if (news != NotificationType.ROLLOUT_PLANNED || !name.equals("Detail")) {
                text.append(name).append(": ").append(value).append('\n');
            }
        });
        if (entry.event() != null) {
            text.append("\nDetails:  forewarn event show ")
                    .append(entry.event())
                    .append('\n');
        }
        return new MailText(subject(headline), text.toString());
    }

    /**
     * All notifications of one period, in the order of the work. The subject names the first work that is still to come.
     *
     * @param until the end of the period
     */
    public static MailText digest(List<Item> items, Instant until, ZoneId zone) {
        List<Item> ordered = items.stream()
                .sorted(Comparator.comparing(item -> Headline.timeOfWork(item.entry)))
                .toList();
        Item first = ordered.stream()
                .filter(item -> DATES.contains(item.news)
                        && item.entry.notBefore() != null
                        && item.entry.notBefore().isAfter(until))
                .findFirst()
                .orElse(ordered.get(0));
        String headline = Headline.of(first.news, first.entry, zone);
        String count = items.size() == 1 ? "1 notification" : items.size() + " notifications";
        StringBuilder text = new StringBuilder(headline)
                .append(".\n\n")
                .append(count)
                .append(" until ")
                .append(Headline.minute(until, zone))
                .append(", in the order of the work:\n");
        for (Item item : ordered) {
            HistoryEntry entry = item.entry;
            text.append("\n* ").append(Headline.of(item.news, entry, zone)).append('\n');
            text.append("  recorded ").append(Headline.second(entry.at(), zone));
            if (entry.group() != null && !entry.group().isWholeTenant()) {
                text.append(", group ").append(entry.group());
            }
            if (entry.event() != null) {
                text.append(", event ").append(entry.event());
            }
            text.append('\n');
            if (item.news == NotificationType.ROLLOUT_PLANNED) {
                text.append(timetable(entry, zone, "  "));
            }
        }
        return new MailText(subject(items.size() == 1 ? headline : count + ", first: " + headline), text.toString());
    }

    /** The detail of a plan, one line for each time. */
    private static String timetable(HistoryEntry entry, ZoneId zone, String indent) {
        StringBuilder lines = new StringBuilder();
        for (String line : entry.detail().split("; ")) {
            if (line.equals(HistoryEntry.REHEARSAL)) {
                continue; // The headline says it.
            }
            lines.append(indent)
                    .append(Headline.oneLine(NotificationFacts.localTimes(line, zone)))
                    .append('\n');
        }
        return lines.toString();
    }

    public static MailText trial(String name, Instant at, ZoneId zone) {
        return new MailText(
                subject("test of " + name),
                "This is a test: nothing happened. Mail for this subscription arrives here.\n\nSent: "
                        + Headline.second(at, zone) + "\n");
    }

    private static String subject(String headline) {
        return Headline.shortened(Headline.oneLine(PREFIX + headline), LONGEST_SUBJECT);
    }
}
