package io.forewarn.server.notification;

import io.forewarn.core.notification.LogPosition;

/** Somebody who reads the log as it grows. Called on the feed's thread only. */
public interface LogConsumer {
    /** The last entry it is done with. */
    LogPosition place();

    /** Whether it takes more at present. Who says no is asked again after {@link LogFeed#wake}. */
    boolean wantsMore();

    /** Takes what a sheet says after its place, or the first part of it, and moves its place as far. */
    void take(NotificationPage page);

    /** There is nothing for it up to this place. */
    void skip(LogPosition to);
}
