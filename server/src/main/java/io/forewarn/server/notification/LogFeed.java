package io.forewarn.server.notification;

import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.SubscriptionFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands the pages of the log, in order, to all its consumers.
 *
 * <p>The writer passes each page to it when the page is durable, so a consumer that keeps up costs no reads of the store. Consumers
 * that do not, and all of them after a start, are served from the store, from the position they have reached; one read
 * serves all that are close together. No consumer waits for another: one that accepts nothing at present stays where it is.
 */
public final class LogFeed {
    private static final int ARRIVING = 1024;
    private static final int KEPT = 512;
    private static final int READ = 128;

    private final Store store;
    private final RecordFormat format;
    private final String source;
    private final Executor thread;
    private final Executor soon;
    private final Set<LogConsumer> consumers = new LinkedHashSet<>();
    private final Deque<NotificationPage> recent = new ArrayDeque<>();
    private final Queue<LogPage> arriving = new ArrayBlockingQueue<>(ARRIVING);
    private final AtomicLong newest = new AtomicLong();
    private final AtomicBoolean asked = new AtomicBoolean();
    /** Whether the end of the log must be read again. */
    private final AtomicBoolean unsure = new AtomicBoolean();

    private volatile boolean followed;
    /** Pages up to this one arrived while there was no consumer, or faster than they were handled. */
    private final AtomicLong missed = new AtomicLong();
    /** Pages up to this one are no longer in memory. */
    private long forgotten;
    /** The last page that was put into memory. */
    private long last;

    /**
     * @param thread on which consumers are called
     * @param soon the same, a moment later, so that the caller whose command made the page is answered first
     */
    LogFeed(Store store, RecordFormat format, String source, Executor thread, Executor soon) {
        this.store = store;
        this.format = format;
        this.source = source;
        this.thread = thread;
        this.soon = soon;
    }

    /** Finds the end of the log. */
    void open() throws StoreException {
        findEnd();
        missed.set(newest.get());
    }

    private void findEnd() throws StoreException {
        store.scanDown(
                LogPage.PREFIX,
                LogPage.PREFIX + "~",
                1,
                (key, value) ->
                        newest.accumulateAndGet(Long.parseLong(key.substring(LogPage.PREFIX.length())), Math::max));
    }

    /** The writer made a page durable. Any thread; never waits. */
    void arrived(LogPage page) {
        if (!followed || !arriving.offer(page)) {
            missed.accumulateAndGet(page.commit(), Math::max);
        }
        newest.accumulateAndGet(page.commit(), Math::max); // Last: a reader that sees this number must find the page.
        if (followed && asked.compareAndSet(false, true)) {
            soon.execute(this::serve);
        }
    }

    /** Pages up to this commit may have been written without arriving here. Any thread. */
    void reloaded(long head) {
        missed.accumulateAndGet(head, Math::max);
        // Not the head itself: a commit may have no page, and positions given out here must exist on other nodes too.
        unsure.set(true);
        wake();
    }

    /** The position after the last entry. Any thread. */
    public LogPosition end() {
        return LogPosition.after(newest.get());
    }

    /** Any thread. */
    public void follow(LogConsumer consumer) {
        followed = true;
        thread.execute(() -> {
            consumers.add(consumer);
            followed = true; // A consumer that left in between may have cleared it.
            wake();
        });
    }

    /** Any thread. */
    public void leave(LogConsumer consumer) {
        thread.execute(() -> {
            consumers.remove(consumer);
            followed = !consumers.isEmpty();
        });
    }

    /** Checks for pages to hand to consumers. Any thread. */
    public void wake() {
        if (asked.compareAndSet(false, true)) {
            thread.execute(this::serve);
        }
    }

    /** The notifications between two positions, both included, to be sent again. */
    List<Notification> notifications(LogPosition first, LogPosition last, SubscriptionFilter wants)
            throws StoreException {
        List<Notification> found = new ArrayList<>();
        long from = first.commit();
        while (from <= last.commit()) {
            List<NotificationPage> pages = read(from, first.commit() == last.commit() ? 1 : READ);
            for (NotificationPage page : pages) {
                page.notifications().stream()
                        .filter(n -> !n.position().isBefore(first) && !last.isBefore(n.position()))
                        .filter(n -> wants.include(n.entry().group(), n.news()))
                        .forEach(found::add);
                from = page.commit() + 1;
            }
            if (pages.size() < READ) {
                break;
            }
        }
        return found;
    }

    private void serve() {
        asked.set(false);
        try {
            if (unsure.getAndSet(false)) {
                findEndAgain();
            }
            long end;
            do {
                end = newest.get();
                gather();
            } while (serveNearest(end));
        } catch (StoreException unreadable) {
            // Store failures are reported elsewhere; the next page, or the next tick, tries again.
            return;
        }
    }

    private void findEndAgain() throws StoreException {
        try {
            findEnd();
        } catch (StoreException unreadable) {
            unsure.set(true);
            throw unreadable;
        }
    }

    private void gather() {
        for (LogPage page = arriving.poll(); page != null; page = arriving.poll()) {
            long known = Math.max(last, missed.get());
            if (page.commit() > known + 1 && isHole(known, page.commit())) {
                missed.accumulateAndGet(page.commit() - 1, Math::max);
            }
            if (page.commit() > known) {
                recent.add(NotificationPage.of(page, source));
                last = page.commit();
            }
        }
        while (recent.size() > KEPT || !recent.isEmpty() && recent.peek().commit() <= missed.get()) {
            forgotten = recent.poll().commit();
        }
        forgotten = Math.max(forgotten, missed.get());
    }

    /** Most commits without a page never had one; the store knows. */
    private boolean isHole(long after, long before) {
        String[] next = {LogPage.key(before)};
        try {
            store.scan(LogPage.PREFIX, LogPage.key(after), 1, (key, value) -> next[0] = key);
        } catch (StoreException unreadable) {
            return true;
        }
        return next[0].compareTo(LogPage.key(before)) < 0;
    }

    /** Serves the consumer that is furthest behind, and all that can use the same pages. Returns false if none wants more. */
    private boolean serveNearest(long end) throws StoreException {
        List<LogConsumer> ready = new ArrayList<>();
        LogPosition nearest = null;
        for (LogConsumer consumer : consumers) {
            LogPosition position = consumer.position();
            if (position.isBefore(LogPosition.after(end)) && consumer.wantsMore()) {
                ready.add(consumer);
                nearest = nearest == null || position.isBefore(nearest) ? position : nearest;
            }
        }
        if (ready.isEmpty()) {
            return false;
        }
        boolean inMemory = !nearest.isBefore(LogPosition.after(forgotten));
        List<NotificationPage> pages = inMemory ? List.copyOf(recent) : read(nearest.commit(), READ);
        for (NotificationPage page : pages) {
            // A consumer that does not take a page must not get the next.
            ready.removeIf(f -> page.commit() >= f.position().commit() && !taken(f, page));
        }
        if (inMemory || pages.size() < READ) {
            // A page between here and the end that was not found was dropped because of its age.
            ready.stream()
                    .filter(f -> f.position().isBefore(LogPosition.after(end)))
                    .forEach(f -> f.skip(LogPosition.after(end)));
        }
        return true;
    }

    private static boolean taken(LogConsumer consumer, NotificationPage page) {
        if (!consumer.wantsMore()) {
            return false;
        }
        if (consumer.position().isBefore(LogPosition.after(page.commit()))) {
            consumer.take(page);
        }
        return !consumer.position().isBefore(LogPosition.after(page.commit()));
    }

    private List<NotificationPage> read(long from, int limit) throws StoreException {
        List<byte[]> values = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        store.scan(LogPage.PREFIX, LogPage.key(Math.max(0, from - 1)), limit, (key, value) -> {
            keys.add(key);
            values.add(value);
        });
        List<NotificationPage> pages = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            pages.add(NotificationPage.of((LogPage) format.read(keys.get(i), values.get(i)), source));
        }
        return pages;
    }
}
