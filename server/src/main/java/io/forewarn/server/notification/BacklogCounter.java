package io.forewarn.server.notification;

import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionFilter;
import io.forewarn.core.notification.SubscriptionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Counts the notifications that subscriptions have yet to receive: the entries of the log after their cursors, both as
 * stored, so that every node gets the same count. A page is counted when it is new and again when the cursor passes it, not
 * on every request. Reads the store: not for an event loop.
 */
final class BacklogCounter {
    private static final int READ = 256;
    private static final LogPosition FOREVER = LogPosition.after(Long.MAX_VALUE);

    private final Store store;
    private final RecordFormat format;
    private final Map<SubscriptionId, Tally> tallies = new HashMap<>();
    private long oldest;

    BacklogCounter(Store store, RecordFormat format) {
        this.store = store;
        this.format = format;
    }

    /** The count for one subscription: the notifications between two positions. */
    private static final class Tally {
        private final long since;
        private final SubscriptionFilter filter;
        private LogPosition served;
        private LogPosition read;
        private long waiting;

        Tally(Subscription subscription, LogPosition served) {
            this.since = subscription.since();
            this.filter = subscription.wants();
            this.served = served;
            this.read = served;
        }
    }

    /** A stretch of the log that is added to a tally, or subtracted from it. */
    private static final class Stretch {
        private final Tally tally;
        private final LogPosition to;
        private final int sign;
        private LogPosition at;

        Stretch(Tally tally, LogPosition from, LogPosition to, int sign) {
            this.tally = tally;
            this.at = from;
            this.to = to;
            this.sign = sign;
        }

        boolean isDone() {
            return !at.isBefore(to);
        }

        void take(LogPage page) {
            for (int i = 0; i < page.entries().size(); i++) {
                HistoryEntry entry = page.entries().get(i);
                LogPosition position = new LogPosition(page.commit(), i);
                boolean within = at.isBefore(position) && !to.isBefore(position);
                NotificationType type =
                        within ? NotificationType.of(entry.what()).orElse(null) : null;
                if (type != null && tally.filter.include(entry.group(), type)) {
                    tally.waiting += sign;
                }
            }
            LogPosition end = LogPosition.after(page.commit());
            at = at.isBefore(end) ? end : at;
        }
    }

    /**
     * Any thread that may wait.
     *
     * @param served the position up to which each subscription has been served
     * @param known whether the subscription still exists
     */
    synchronized Map<SubscriptionId, Long> waiting(
            Map<Subscription, LogPosition> served, Predicate<SubscriptionId> known) throws StoreException {
        tallies.keySet().removeIf(known.negate());
        dropOld();
        Map<SubscriptionId, Stretch> added = new HashMap<>();
        List<Stretch> stretches = new ArrayList<>();
        served.forEach((subscription, position) -> {
            Tally tally = tally(subscription, position, stretches);
            added.put(subscription.id(), new Stretch(tally, tally.read, FOREVER, 1));
        });
        stretches.addAll(added.values());
        try {
            count(stretches);
        } catch (StoreException | RuntimeException halfCounted) {
            tallies.clear();
            throw halfCounted;
        }
        Map<SubscriptionId, Long> waiting = new HashMap<>();
        added.forEach((id, stretch) -> {
            stretch.tally.read = stretch.at;
            waiting.put(id, stretch.tally.waiting);
        });
        return waiting;
    }

    /** Pages that were dropped because of their age are no longer delivered: subscriptions that had not reached them are counted again. */
    private void dropOld() throws StoreException {
        long[] first = {0};
        store.scan(LogPage.PREFIX, "", 1, (key, value) -> first[0] = commit(key));
        if (first[0] != oldest) {
            oldest = first[0];
            tallies.values().removeIf(tally -> tally.served.commit() < oldest);
        }
    }

    /** The tally so far; what has been served since is added to {@code passed}, to be subtracted. */
    private Tally tally(Subscription subscription, LogPosition served, List<Stretch> passed) {
        Tally known = tallies.get(subscription.id());
        boolean usable = known != null
                && known.since == subscription.since()
                && !served.isBefore(known.served)
                && served.isBefore(known.read);
        if (!usable) {
            Tally fresh = new Tally(subscription, served);
            tallies.put(subscription.id(), fresh);
            return fresh;
        }
        if (known.served.isBefore(served)) {
            passed.add(new Stretch(known, known.served, served, -1));
            known.served = served;
        }
        return known;
    }

    /** One read serves all subscriptions whose cursors are close together. */
    private void count(List<Stretch> stretches) throws StoreException {
        List<Stretch> left = new ArrayList<>(stretches);
        while (!left.isEmpty()) {
            long from = left.stream().mapToLong(s -> s.at.commit()).min().orElseThrow();
            List<LogPage> pages = read(from);
            for (LogPage page : pages) {
                left.forEach(stretch -> stretch.take(page));
            }
            if (pages.size() < READ) {
                return;
            }
            left.removeIf(Stretch::isDone);
        }
    }

    private List<LogPage> read(long from) throws StoreException {
        Map<String, byte[]> rows = new LinkedHashMap<>();
        store.scan(LogPage.PREFIX, LogPage.key(Math.max(0, from - 1)), READ, rows::put);
        List<LogPage> pages = new ArrayList<>(rows.size());
        for (Map.Entry<String, byte[]> row : rows.entrySet()) {
            pages.add((LogPage) format.read(row.getKey(), row.getValue()));
        }
        return pages;
    }

    private static long commit(String key) {
        return Long.parseLong(key.substring(LogPage.PREFIX.length()));
    }
}
