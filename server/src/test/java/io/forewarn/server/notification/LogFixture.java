package io.forewarn.server.notification;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.records.JsonFormat;
import io.forewarn.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** A real store whose log a test writes itself, and a feed of it that runs when the test says so. */
final class LogFixture implements AutoCloseable {
    static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final GroupId WEB = new GroupId("default", "web");

    final SqliteStore store;
    final JsonFormat format = new JsonFormat();
    final LogFeed feed;
    private final Queue<Runnable> steps = new ArrayDeque<>();
    private final Head head;
    private long commit;

    LogFixture(Path folder) throws StoreException {
        store = SqliteStore.open(folder.resolve("data"));
        head = store.claim();
        commit = head.seq();
        feed = new LogFeed(store, format, "/forewarn", steps::add, steps::add);
        feed.open();
    }

    /** Makes a page durable of which the feed hears nothing yet. */
    LogPage write() throws StoreException {
        return write(NOON);
    }

    LogPage write(Instant at) throws StoreException {
        commit++;
        HistoryEntry entry = new HistoryEntry(
                at,
                Transition.SCHEDULED.name(),
                WEB,
                null,
                null,
                List.of("web-1"),
                Actor.SERVICE,
                null,
                null,
                null,
                "no. " + commit);
        LogPage page = new LogPage(commit, at, List.of(entry), List.of());
        store.commit(Commit.of(commit, head.epoch(), Map.of(page.key(), format.write(page)), List.of()));
        return page;
    }

    /** A commit that has nothing to say. */
    void writeSilently() throws StoreException {
        commit++;
        store.commit(Commit.of(commit, head.epoch(), Map.of("cursor/x", new byte[1]), List.of()));
    }

    /** A page is too old to be kept. */
    void drop(long page) throws StoreException {
        commit++;
        store.commit(Commit.of(commit, head.epoch(), Map.of(), List.of(LogPage.key(page))));
    }

    /** Does all there is to do. */
    void run() {
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            step.run();
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
