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

    /** What was counted for one recipient: what it is to be told of between two places. */
    private static final class Tally {
        private final long since;
        private final SubscriptionFilter filter;
        private LogPosition told;
        private LogPosition read;
        private long waiting;

        Tally(Subscription subscription, LogPosition told) {
            this.since = subscription.since();
            this.filter = subscription.wants();
            this.told = told;
            this.read = told;
        }
    }

    /** A stretch of the log that is added to a tally, or taken from it. */
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
     * @param told how far each of those asked for was told
     * @param known whether there still is such a recipient
     */
    synchronized Map<SubscriptionId, Long> waiting(Map<Subscription, LogPosition> told, Predicate<SubscriptionId> known)
            throws StoreException {
        tallies.keySet().removeIf(known.negate());
        dropOld();
        Map<SubscriptionId, Stretch> news = new HashMap<>();
        List<Stretch> stretches = new ArrayList<>();
        told.forEach((subscription, position) -> {
            Tally tally = tally(subscription, position, stretches);
            news.put(subscription.id(), new Stretch(tally, tally.read, FOREVER, 1));
        });
        stretches.addAll(news.values());
        try {
            count(stretches);
        } catch (StoreException | RuntimeException halfCounted) {
            tallies.clear();
            throw halfCounted;
        }
        Map<SubscriptionId, Long> waiting = new HashMap<>();
        news.forEach((id, stretch) -> {
            stretch.tally.read = stretch.at;
            waiting.put(id, stretch.tally.waiting);
        });
        return waiting;
    }

    /** Pages that were dropped for their age are delivered to nobody: subscriptions that had not reached them are counted again. */
    private void dropOld() throws StoreException {
        long[] first = {0};
        store.scan(LogPage.PREFIX, "", 1, (key, value) -> first[0] = commit(key));
        if (first[0] != oldest) {
            oldest = first[0];
            tallies.values().removeIf(tally -> tally.told.commit() < oldest);
        }
    }

    /** What is known of it, and what is no longer to be told as a stretch to take away. */
    private Tally tally(Subscription subscription, LogPosition told, List<Stretch> passed) {
        Tally known = tallies.get(subscription.id());
        boolean usable = known != null
                && known.since == subscription.since()
                && !told.isBefore(known.told)
                && told.isBefore(known.read);
        if (!usable) {
            Tally fresh = new Tally(subscription, told);
            tallies.put(subscription.id(), fresh);
            return fresh;
        }
        if (known.told.isBefore(told)) {
            passed.add(new Stretch(known, known.told, told, -1));
            known.told = told;
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
