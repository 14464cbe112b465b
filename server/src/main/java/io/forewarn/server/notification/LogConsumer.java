package io.forewarn.server.notification;

import io.forewarn.core.notification.LogPosition;

/** Reads the log as it grows. Called on the notification thread only. */
public interface LogConsumer {
    /** The last entry it is done with. */
    LogPosition position();

    /** Whether it accepts more at present. If not, it is asked again after {@link LogFeed#wake}. */
    boolean wantsMore();

    /** Takes the entries of a page after its place, or the first of them, and advances its place accordingly. */
    void take(NotificationPage page);

    /** There is nothing for it up to this place. */
    void skip(LogPosition to);
}
