package io.forewarn.wire.notification;

import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.NotificationType;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashSet;
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

    /** Nothing comes of a date any more, or all of it is over. */
    private static final Set<NotificationType> OFF = Set.of(
            NotificationType.STARTED,
            NotificationType.CANCELLED,
            NotificationType.SUPERSEDED,
            NotificationType.COMPLETED,
            NotificationType.FAILED,
            NotificationType.ROLLOUT_CANCELLED);

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
     * All notifications of one period, in the order of the work; what was recorded later about the same work follows. The subject names the
     * first work that is still to come.
     *
     * @param items in the order in which they were recorded
     * @param until the end of the period
     */
    public static MailText digest(List<Item> items, Instant until, ZoneId zone) {
        List<Item> ordered = items.stream()
                .sorted(Comparator.comparing(item -> timeOfWork(item, items)))
                .toList();
        Item first = ordered.stream()
                .filter(item -> DATES.contains(item.news)
                        && item.entry.notBefore() != null
                        && item.entry.notBefore().isAfter(until)
                        && !isOutdated(item, items))
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

    /** That of the first date of the same work, if it has none itself: it says that nothing comes of that date, or what came of it. */
    private static Instant timeOfWork(Item item, List<Item> items) {
        return item.entry.notBefore() != null
                ? item.entry.notBefore()
                : items.subList(0, items.indexOf(item)).stream()
                        .filter(earlier -> DATES.contains(earlier.news) && isSameWork(earlier.entry, item.entry))
                        .map(earlier -> Headline.timeOfWork(earlier.entry))
                        .min(Comparator.naturalOrder())
                        .orElse(item.entry.at());
    }

    /** Whether all machines that a notification names have another date by now, or none. */
    private static boolean isOutdated(Item item, List<Item> items) {
        Set<String> left = new HashSet<>(item.entry.machines());
        items.subList(items.indexOf(item) + 1, items.size()).stream()
                .filter(later ->
                        (DATES.contains(later.news) || OFF.contains(later.news)) && isSameWork(item.entry, later.entry))
                .forEach(later -> later.entry.machines().forEach(left::remove));
        return left.isEmpty();
    }

    private static boolean isSameWork(HistoryEntry one, HistoryEntry other) {
        if (one.event() != null && one.event().equals(other.event())) {
            return true;
        }
        return one.rollout() != null
                && one.rollout().equals(other.rollout())
                && one.group() != null
                && other.group() != null
                && one.group().tenant().equals(other.group().tenant())
                && one.machines().stream().anyMatch(other.machines()::contains);
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
