package io.forewarn.server.notification;

import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import java.util.ArrayList;
import java.util.List;

/** The notifications of one page of the log, in order. */
public record NotificationPage(long commit, List<Notification> notifications) {
    static NotificationPage of(LogPage page, String source) {
        List<Notification> notifications = new ArrayList<>(page.entries().size());
        for (int i = 0; i < page.entries().size(); i++) {
            HistoryEntry entry = page.entries().get(i);
            LogPosition position = new LogPosition(page.commit(), i);
            NotificationType.of(entry.what())
                    .ifPresent(type -> notifications.add(new Notification(position, type, entry, source)));
        }
        return new NotificationPage(page.commit(), notifications);
    }
}
