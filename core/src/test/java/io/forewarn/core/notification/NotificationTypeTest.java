package io.forewarn.core.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NotificationTypeTest {
    @Test
    void allHistoryEntriesHaveANotificationType() {
        for (Transition transition : Transition.values()) {
            assertTrue(NotificationType.of(transition.name()).isPresent(), transition::name);
        }
        for (HistoryEntry.What what : HistoryEntry.What.values()) {
            assertTrue(NotificationType.of(what.name()).isPresent(), what::name);
        }
    }

    @Test
    void allNotificationTypesComeFromHistory() {
        Set<NotificationType> never = EnumSet.allOf(NotificationType.class);
        for (Transition transition : Transition.values()) {
            never.remove(NotificationType.of(transition.name()).orElseThrow());
        }
        for (HistoryEntry.What what : HistoryEntry.What.values()) {
            never.remove(NotificationType.of(what.name()).orElseThrow());
        }
        assertEquals(Set.of(), never);
    }

    @Test
    void programsKnowItByWhatItIsAbout() {
        assertEquals("event.scheduled", NotificationType.SCHEDULED.dotted());
        assertEquals("rollout.halted", NotificationType.ROLLOUT_HALTED.dotted());
        assertEquals("event.tried-again", NotificationType.TRIED_AGAIN.dotted());
    }

    @Test
    void aTenantSeesNothingOfOthersNorOfTheWholeService() {
        SubscriptionFilter shop = new SubscriptionFilter("shop", Set.of(), EnumSet.allOf(NotificationType.class));
        assertTrue(shop.include(new GroupId("shop", "web"), NotificationType.STARTED));
        assertEquals(false, shop.include(new GroupId("default", "web"), NotificationType.STARTED));
        assertEquals(false, shop.include(null, NotificationType.TOKEN_ADDED));
        SubscriptionFilter all = new SubscriptionFilter(null, Set.of(), EnumSet.allOf(NotificationType.class));
        assertTrue(all.include(null, NotificationType.TOKEN_ADDED));
    }

    @Test
    void aPlaceIsReadAsItIsWrittenAndOrdered() {
        LogPosition position = new LogPosition(42, 7);
        assertEquals(position, LogPosition.parse("42.7").orElseThrow());
        assertTrue(LogPosition.parse("42").isEmpty());
        assertTrue(LogPosition.before(42, 0).isBefore(new LogPosition(42, 0)));
        assertTrue(new LogPosition(41, 5).isBefore(LogPosition.before(42, 0)));
        assertTrue(position.isBefore(LogPosition.after(42)));
    }
}
