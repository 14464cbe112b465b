package io.forewarn.server.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BacklogCounterTest {
    @TempDir
    private Path folder;

    private LogFixture log;
    private BacklogCounter backlogCounter;

    @BeforeEach
    void open() throws Exception {
        log = new LogFixture(folder);
        backlogCounter = new BacklogCounter(log.store, log.format);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private static Subscription recipient(String name, Set<GroupId> groups, Set<NotificationType> news, long since) {
        SubscriptionId id = new SubscriptionId(Channel.WEBHOOK, SubscriptionId.EVERY_TENANT, name);
        return new Subscription(
                id, groups, news, "https://example.org/", List.of(), "whsec_c2VjcmV0", LogFixture.NOON, since);
    }

    private static Subscription ops() {
        return recipient("ops", Set.of(), NotificationType.usual(), 0);
    }

    private long waiting(Subscription subscription, long told) throws StoreException {
        return backlogCounter
                .waiting(Map.of(subscription, LogPosition.after(told)), id -> true)
                .get(subscription.id());
    }

    private void write(int pages) throws StoreException {
        for (int i = 0; i < pages; i++) {
            log.write();
        }
    }

    @Test
    void allThatComesAfterTheCursorIsCountedHoweverLongItIs() throws Exception {
        assertEquals(0, waiting(ops(), 0));
        write(700);
        assertEquals(700, waiting(ops(), 0));
        assertEquals(400, waiting(ops(), 300));
        write(50);
        assertEquals(450, waiting(ops(), 300));
        log.writeSilently();
        assertEquals(449, waiting(ops(), 301));
        assertEquals(0, waiting(ops(), 750));
        write(2);
        assertEquals(2, waiting(ops(), 751));
        assertEquals(753, waiting(ops(), 0) + 1, "one commit had nothing to say");
    }

    @Test
    void onlyWhatIsWantedWaits() throws Exception {
        write(3);
        assertEquals(3, waiting(recipient("web", Set.of(LogFixture.WEB), NotificationType.usual(), 0), 0));
        assertEquals(0, waiting(recipient("db", Set.of(new GroupId("default", "db")), NotificationType.usual(), 0), 0));
        assertEquals(0, waiting(recipient("ends", Set.of(), EnumSet.of(NotificationType.COMPLETED), 0), 0));
    }

    @Test
    void oneReadingServesThoseWhoAreNearAndThoseWhoAreFar() throws Exception {
        write(600);
        Subscription near = recipient("near", Set.of(), NotificationType.usual(), 0);
        Map<Subscription, LogPosition> asked = Map.of(ops(), LogPosition.after(10), near, LogPosition.after(599));
        Map<SubscriptionId, Long> first = backlogCounter.waiting(asked, id -> true);
        assertEquals(Map.of(ops().id(), 590L, near.id(), 1L), first);
        write(1);
        Map<Subscription, LogPosition> later = Map.of(ops(), LogPosition.after(500), near, LogPosition.after(600));
        assertEquals(Map.of(ops().id(), 101L, near.id(), 1L), backlogCounter.waiting(later, id -> true));
    }

    @Test
    void pagesRemovedByRetentionDoNotCountAsWaiting() throws Exception {
        write(10);
        assertEquals(10, waiting(ops(), 0));
        assertEquals(8, waiting(ops(), 2));
        for (long page = 1; page <= 4; page++) {
            log.drop(page);
        }
        assertEquals(6, waiting(ops(), 2));
        assertEquals(5, waiting(ops(), 5));
    }

    @Test
    void aSubscriptionRecreatedUnderTheSameNameIsCountedAgain() throws Exception {
        write(10);
        assertEquals(10, waiting(ops(), 0));
        assertEquals(4, waiting(recipient("ops", Set.of(), NotificationType.usual(), 6), 6));
        Subscription picky = recipient("ops", Set.of(), EnumSet.of(NotificationType.FAILED), 7);
        assertEquals(0, waiting(picky, 7));
    }
}
