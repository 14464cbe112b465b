package io.forewarn.wire.notification;

import io.forewarn.core.Actor;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Lists what is known of a notification, by name, for mail and chat. Names cannot add lines. */
final class NotificationFacts {
    private static final int LONGEST = 900;
    private static final Pattern TIME =
            Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?Z");

    private NotificationFacts() {}

    static Map<String, String> of(HistoryEntry entry, ZoneId zone) {
        Map<String, String> facts = new LinkedHashMap<>();
        if (entry.notBefore() != null) {
            put(facts, "Not before", Headline.second(entry.notBefore(), zone));
        }
        put(facts, "Rollout", entry.rollout());
        if (entry.group() != null) {
            boolean all = entry.group().isWholeTenant();
            put(
                    facts,
                    all ? "Tenant" : "Group",
                    all ? entry.group().tenant() : entry.group().toString());
        }
        put(facts, "Machines", String.join(", ", entry.machines()));
        if (entry.cause() != null) {
            put(
                    facts,
                    "Work",
                    EnumNames.of(entry.cause().type()) + ": " + entry.cause().description());
            put(facts, "Cause", EnumNames.of(entry.cause()));
        }
        if (entry.promised() != null) {
            String given = entry.given() == null ? "" : ", " + Durations.print(entry.given()) + " given";
            put(facts, "Notice", Durations.print(entry.promised()) + " promised" + given);
        }
        put(facts, "By", by(entry.actor()));
        put(facts, "Reason", entry.reason());
        put(facts, "Detail", localTimes(entry.detail(), zone));
        put(facts, "Recorded", Headline.second(entry.at(), zone));
        put(facts, "Event", entry.event() == null ? null : entry.event().toString());
        return facts;
    }

    /** Times in the text of an entry are in UTC; people read them in their zone. */
    static String localTimes(String text, ZoneId zone) {
        return TIME.matcher(text).replaceAll(time -> Headline.minute(Instant.parse(time.group()), zone));
    }

    private static String by(Actor actor) {
        return actor.name().isEmpty() ? "the service itself" : EnumNames.of(actor.kind()) + " " + actor.name();
    }

    private static void put(Map<String, String> facts, String name, String value) {
        if (value != null && !value.isBlank()) {
            facts.put(name, Headline.shortened(Headline.oneLine(value), LONGEST));
        }
    }
}
