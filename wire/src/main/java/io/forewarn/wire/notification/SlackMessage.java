package io.forewarn.wire.notification;

import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.wire.control.Json;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Renders a notification as a message for an incoming webhook of Slack.
 *
 * @param text what notifications on a phone and programs without blocks show
 */
public record SlackMessage(String text, List<Block> blocks) {
    public static final String MEDIA_TYPE = "application/json; charset=utf-8";

    /** The most fields, and the longest text of one, that Slack accepts. */
    private static final int MOST_FIELDS = 10;

    private static final int LONGEST_FIELD = 2000;

    /** A part of the message: a text, or fields in two columns. */
    public record Block(String type, Text text, List<Text> fields) {}

    /** A text in Slack's markup. */
    public record Text(String type, String text) {
        static Text of(String markup) {
            return new Text("mrkdwn", Headline.shortened(markup, LONGEST_FIELD));
        }
    }

    public static SlackMessage of(NotificationType news, HistoryEntry entry, ZoneId zone) {
        List<Text> fields = new ArrayList<>();
        for (Map.Entry<String, String> fact : NotificationFacts.of(entry, zone).entrySet()) {
            if (fields.size() < MOST_FIELDS && !fact.getKey().equals("Work")) {
                fields.add(Text.of("*" + fact.getKey() + "*\n" + escaped(fact.getValue())));
            }
        }
        return message(Headline.of(news, entry, zone), fields);
    }

    /** The message that tests a receiver. */
    public static SlackMessage trial(String name) {
        return message("test of " + name + ": nothing happened", List.of());
    }

    private static SlackMessage message(String headline, List<Text> fields) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block("section", Text.of("*" + escaped(headline) + "*"), null));
        if (!fields.isEmpty()) {
            blocks.add(new Block("section", null, fields));
        }
        return new SlackMessage("Forewarn: " + escaped(headline), blocks);
    }

    /** Slack's three characters with a meaning, so that a name cannot become a link or a mention. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    public byte[] json() {
        return Json.write(this);
    }
}
