package io.forewarn.server.notification;

import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.wire.notification.CloudEvent;

/** One notification. It is rendered once for all recipients. */
public final class Notification {
    private final LogPosition position;
    private final NotificationType type;
    private final HistoryEntry entry;
    private final String source;
    private volatile byte[] json;

    Notification(LogPosition position, NotificationType type, HistoryEntry entry, String source) {
        this.position = position;
        this.type = type;
        this.entry = entry;
        this.source = source;
    }

    public LogPosition position() {
        return position;
    }

    public NotificationType news() {
        return type;
    }

    public HistoryEntry entry() {
        return entry;
    }

    /** As a CloudEvent. */
    public byte[] json() {
        byte[] spelt = json;
        if (spelt == null) {
            spelt = CloudEvent.of(source, position, type, entry).json();
            json = spelt;
        }
        return spelt;
    }

    String id() {
        return CloudEvent.id(position, entry);
    }
}
