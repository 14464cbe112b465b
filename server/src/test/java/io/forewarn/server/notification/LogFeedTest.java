package io.forewarn.server.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.notification.LogPosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogFeedTest {
    @TempDir
    private Path folder;

    private LogFixture log;

    @BeforeEach
    void open() throws Exception {
        log = new LogFixture(folder);
    }

    @AfterEach
    void close() {
        log.close();
    }

    /** Takes all it gets. */
    private static final class Reader implements LogConsumer {
        private final List<Long> pages = new ArrayList<>();
        private LogPosition position;

        Reader(LogPosition from) {
            position = from;
        }

        @Override
        public LogPosition position() {
            return position;
        }

        @Override
        public boolean wantsMore() {
            return true;
        }

        @Override
        public void take(NotificationPage page) {
            pages.add(page.commit());
            position = LogPosition.after(page.commit());
        }

        @Override
        public void skip(LogPosition to) {
            position = to;
        }
    }

    private Reader reader() {
        Reader reader = new Reader(log.feed.end());
        log.feed.follow(reader);
        log.run();
        return reader;
    }

    @Test
    void missedPagesAreReadFromTheStoreWhenALaterOneArrives() throws Exception {
        Reader reader = reader();
        for (int i = 0; i < 3; i++) {
            log.feed.arrived(log.write());
        }
        log.run();
        assertEquals(List.of(1L, 2L, 3L), reader.pages);
        for (int i = 0; i < 5; i++) {
            log.write();
        }
        log.feed.arrived(log.write());
        log.run();
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), reader.pages);
        log.writeSilently();
        log.feed.arrived(log.write());
        log.run();
        assertEquals(11L, reader.pages.get(9));
    }

    @Test
    void missedPagesAreReadFromTheStoreWhenTheFeedRestarts() throws Exception {
        Reader reader = reader();
        log.feed.arrived(log.write());
        log.run();
        log.write();
        log.write();
        log.feed.reloaded(3);
        log.run();
        assertEquals(List.of(1L, 2L, 3L), reader.pages);
        assertEquals(LogPosition.after(3), log.feed.end());
    }

    /** A reader of a stream is told this place, and may go on from it at a node that has heard of pages only. */
    @Test
    void afterARestartOfTheFeedTheEndIsAPage() throws Exception {
        log.write();
        log.write();
        log.writeSilently();
        log.writeSilently();
        log.feed.reloaded(4);
        log.run();
        assertEquals(LogPosition.after(2), log.feed.end());
        Reader reader = reader();
        log.feed.arrived(log.write());
        log.run();
        assertEquals(List.of(5L), reader.pages);
    }

    @Test
    void aFollowerThatJoinsAsTheLastOneLeavesIsServed() throws Exception {
        Reader first = reader();
        Reader second = new Reader(log.feed.end());
        log.feed.leave(first);
        log.feed.follow(second);
        log.run();
        log.feed.arrived(log.write());
        log.run();
        assertEquals(List.of(1L), second.pages);
        assertEquals(List.of(), first.pages);
    }
}
