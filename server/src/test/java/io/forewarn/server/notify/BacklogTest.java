package io.forewarn.server.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.notice.Channel;
import io.forewarn.core.notice.News;
import io.forewarn.core.notice.Place;
import io.forewarn.core.notice.Recipient;
import io.forewarn.core.notice.RecipientId;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BacklogTest {
    @TempDir
    private Path folder;

    private Chronicle log;
    private Backlog backlog;

    @BeforeEach
    void open() throws Exception {
        log = new Chronicle(folder);
        backlog = new Backlog(log.store, log.format);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private static Recipient recipient(String name, Set<GroupId> groups, Set<News> news, long since) {
        RecipientId id = new RecipientId(Channel.WEBHOOK, RecipientId.EVERY_TENANT, name);
        return new Recipient(
                id, groups, news, "https://example.org/", List.of(), "whsec_c2VjcmV0", Chronicle.NOON, since);
    }

    private static Recipient ops() {
        return recipient("ops", Set.of(), News.usual(), 0);
    }

    private long waiting(Recipient recipient, long told) throws StoreException {
        return backlog.waiting(Map.of(recipient, Place.after(told)), id -> true).get(recipient.id());
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
        assertEquals(3, waiting(recipient("web", Set.of(Chronicle.WEB), News.usual(), 0), 0));
        assertEquals(0, waiting(recipient("db", Set.of(new GroupId("default", "db")), News.usual(), 0), 0));
        assertEquals(0, waiting(recipient("ends", Set.of(), EnumSet.of(News.COMPLETED), 0), 0));
    }

    @Test
    void oneReadingServesThoseWhoAreNearAndThoseWhoAreFar() throws Exception {
        write(600);
        Recipient near = recipient("near", Set.of(), News.usual(), 0);
        Map<Recipient, Place> asked = Map.of(ops(), Place.after(10), near, Place.after(599));
        Map<RecipientId, Long> first = backlog.waiting(asked, id -> true);
        assertEquals(Map.of(ops().id(), 590L, near.id(), 1L), first);
        write(1);
        Map<Recipient, Place> later = Map.of(ops(), Place.after(500), near, Place.after(600));
        assertEquals(Map.of(ops().id(), 101L, near.id(), 1L), backlog.waiting(later, id -> true));
    }

    @Test
    void whatWasDroppedForItsAgeWaitsNoLonger() throws Exception {
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
    void oneMadeAnewUnderTheSameNameIsCountedAnew() throws Exception {
        write(10);
        assertEquals(10, waiting(ops(), 0));
        assertEquals(4, waiting(recipient("ops", Set.of(), News.usual(), 6), 6));
        Recipient picky = recipient("ops", Set.of(), EnumSet.of(News.FAILED), 7);
        assertEquals(0, waiting(picky, 7));
    }
}
