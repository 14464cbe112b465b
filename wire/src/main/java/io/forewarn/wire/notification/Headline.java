package io.forewarn.wire.notification;

import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.wire.control.EnumNames;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Says in one line what happens to which machines and when, in the zone of the reader. Names cannot add lines. */
final class Headline {
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("EEE d MMM yyyy HH:mm VV", Locale.ROOT);
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("EEE d MMM yyyy HH:mm:ss VV", Locale.ROOT);
    private static final int NAMED = 3;
    private static final int LONGEST_LIST = 100;

    private Headline() {}

    static String of(NotificationType news, HistoryEntry entry, ZoneId zone) {
        String line = entry.cause() == null ? aboutOther(news, entry) : aboutWork(news, entry, zone);
        boolean named = entry.rollout() == null || entry.cause() == null;
        return oneLine(named ? line : line + " (rollout " + entry.rollout() + ")");
    }

    private static String aboutWork(NotificationType news, HistoryEntry entry, ZoneId zone) {
        String rehearsed = entry.saysRehearsal() ? "rehearsal: " : "";
        String work = rehearsed + EnumNames.of(entry.cause().type()) + " of " + whom(entry);
        String at = minute(entry.at(), zone);
        String due = entry.notBefore() == null ? null : minute(entry.notBefore(), zone);
        String dated = due == null ? work : work + ", scheduled for " + due + ",";
        return switch (news) {
            case SCHEDULED -> due == null ? work + " is scheduled" : work + " is scheduled for " + due;
            case WAITING -> work + " is waiting for other work on the machine";
            case ROLLOUT_PLANNED -> work + " is planned" + (due == null ? "" : ", from " + due);
            case MOVED, ROLLOUT_MOVED -> due == null ? work + " moves" : work + " moves to " + due;
            case POSTPONED -> due == null ? work + " is postponed" : work + " is postponed to " + due;
            case APPROVED -> dated + " is approved";
            case STARTED -> work + " started at " + at;
            case TRIED_AGAIN -> work + " was started again at " + at;
            case JOINED -> work + " was joined by another failure at " + at;
            case CANCELLED, ROLLOUT_CANCELLED -> dated + " is cancelled";
            case SUPERSEDED -> dated + " is superseded";
            case COMPLETED -> work + " was done at " + at;
            case FAILED -> work + " failed at " + at;
            default -> EnumNames.of(news).replace('-', ' ') + ": " + work + (due == null ? "" : " at " + due);
        };
    }

    private static String aboutOther(NotificationType news, HistoryEntry entry) {
        String what = EnumNames.of(news).replace('-', ' ');
        if (!entry.machines().isEmpty()
                || entry.group() != null && entry.detail().isBlank()) {
            return what + ": " + whom(entry);
        }
        return entry.detail().isBlank() ? what : what + ": " + entry.detail();
    }

    private static String whom(HistoryEntry entry) {
        if (entry.machines().isEmpty()) {
            return entry.group() == null
                    ? "machines"
                    : entry.group().isWholeTenant() ? "tenant " + entry.group().tenant() : "group " + entry.group();
        }
        int named = Math.min(NAMED, entry.machines().size());
        String list = String.join(", ", entry.machines().subList(0, named));
        int more = entry.machines().size() - named;
        return shortened(list, LONGEST_LIST) + (more > 0 ? " and " + more + " more" : "");
    }

    static String minute(Instant at, ZoneId zone) {
        return MINUTE.format(at.atZone(zone));
    }

    static String second(Instant at, ZoneId zone) {
        return SECOND.format(at.atZone(zone));
    }

    /** When the work is: by which people sort what they are told. */
    static Instant timeOfWork(HistoryEntry entry) {
        return entry.notBefore() == null ? entry.at() : entry.notBefore();
    }

    /** The printable characters, as one line. */
    static String oneLine(String value) {
        return value.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
    }

    static String shortened(String line, int longest) {
        return line.length() <= longest ? line : line.substring(0, longest - 1) + "…";
    }
}
