package io.forewarn.wire.notification;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.wire.control.HistoryEntryBody;
import io.forewarn.wire.control.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Renders a history entry as a CloudEvents 1.0 event in structured JSON.
 *
 * @param id the same for every delivery attempt, so that receivers can drop duplicates
 * @param subject the event's id, the rollout's or the group's name; left out where there is none
 */
@JsonPropertyOrder({"specversion", "id", "source", "type", "subject", "time", "datacontenttype", "data"})
public record CloudEvent(
        String specversion,
        String id,
        String source,
        String type,
        String subject,
        String time,
        String datacontenttype,
        Object data) {
    public static final String MEDIA_TYPE = "application/cloudevents+json; charset=utf-8";

    private static final String TYPE = "io.forewarn.";
    private static final int TOLD_APART = 4;

    public static CloudEvent of(String source, LogPosition position, NotificationType news, HistoryEntry entry) {
        return new CloudEvent(
                "1.0",
                id(position, entry),
                source,
                TYPE + news.dotted(),
                subject(entry),
                entry.at().toString(),
                "application/json",
                HistoryEntryBody.of(entry));
    }

    /** The event that tests a receiver. */
    public static CloudEvent trial(String source, String id, Instant at, String name) {
        return new CloudEvent(
                "1.0",
                id,
                source,
                TYPE + "test",
                name,
                at.toString(),
                "application/json",
                new Trial("This is a test: nothing happened."));
    }

    /** The data of a test event. */
    public record Trial(String detail) {}

    public byte[] json() {
        return Json.write(this);
    }

    /** The position in the log plus part of a digest, so that a new store does not repeat ids of an old one. */
    public static String id(LogPosition position, HistoryEntry entry) {
        String what =
                entry.at() + "|" + entry.what() + "|" + entry.group() + "|" + entry.event() + "|" + entry.detail();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(what.getBytes(StandardCharsets.UTF_8));
            return position + "-" + HexFormat.of().formatHex(digest, 0, TOLD_APART);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String subject(HistoryEntry entry) {
        if (entry.event() != null) {
            return entry.event().toString();
        }
        if (entry.rollout() != null) {
            return entry.rollout();
        }
        return entry.group() == null ? null : entry.group().toString();
    }
}
