package io.forewarn.server.notification;

import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.SubscriptionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Notifications that could not be delivered: those in the store, except the ones that are settled but not yet deleted there.
 * For the notification thread, except {@link #stored}.
 */
final class DeadLetters {
    /** How many are kept for one subscription. */
    static final int MOST = 1000;

    private static final int AT_ONCE = 500;

    private final Store store;
    private final RecordFormat format;
    private final Map<String, DeadLetter> settled = new LinkedHashMap<>();

    DeadLetters(Store store, RecordFormat format) {
        this.store = store;
        this.format = format;
    }

    /** Of one subscription, oldest first. Any thread. */
    List<DeadLetter> stored(SubscriptionId id) throws StoreException {
        return scan(DeadLetter.prefix(id), "", 2 * MOST);
    }

    /** All under a prefix that are not settled, oldest first, a few at a time. */
    void each(String prefix, Consumer<DeadLetter> visitor) throws StoreException {
        List<DeadLetter> some;
        String after = "";
        do {
            some = scan(prefix, after, AT_ONCE);
            for (DeadLetter letter : some) {
                after = letter.key();
                if (!settled.containsKey(after)) {
                    visitor.accept(letter);
                }
            }
        } while (some.size() == AT_ONCE);
    }

    /** The oldest of one subscription that are not settled. */
    List<DeadLetter> oldest(SubscriptionId id, int count) throws StoreException {
        return scan(DeadLetter.prefix(id), "", count + settled.size()).stream()
                .filter(letter -> !settled.containsKey(letter.key()))
                .limit(count)
                .toList();
    }

    private List<DeadLetter> scan(String prefix, String after, int limit) throws StoreException {
        Map<String, byte[]> rows = new LinkedHashMap<>();
        store.scan(prefix, after, limit, rows::put);
        List<DeadLetter> letters = new ArrayList<>(rows.size());
        for (Map.Entry<String, byte[]> row : rows.entrySet()) {
            letters.add((DeadLetter) format.read(row.getKey(), row.getValue()));
        }
        return letters;
    }

    /** It was delivered, or its subscription is gone. */
    void settle(DeadLetter letter) {
        settled.put(letter.key(), letter);
    }

    /** Those that are still to be deleted from the store. */
    List<DeadLetter> settled() {
        return List.copyOf(settled.values());
    }

    /** They are deleted from the store. */
    void saved(List<DeadLetter> gone) {
        gone.forEach(letter -> settled.remove(letter.key()));
    }

    /** Another node delivers now. */
    void forget() {
        settled.clear();
    }
}
