package io.forewarn.core.rules;

import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The changes of a change set to subscriptions, delivery cursors and dead letters. */
public final class SubscriptionChanges {
    private final Map<SubscriptionId, Subscription> recipients = new LinkedHashMap<>();
    private final Map<SubscriptionId, DeliveryCursor> cursors = new LinkedHashMap<>();
    private final Set<SubscriptionId> removed = new LinkedHashSet<>();
    private final Map<String, DeadLetter> letters = new LinkedHashMap<>();
    private final Set<String> settled = new LinkedHashSet<>();

    boolean isEmpty() {
        return removed.isEmpty() && recipients.isEmpty() && cursors.isEmpty() && settled.isEmpty() && letters.isEmpty();
    }

    void absorb(SubscriptionChanges upper) {
        upper.removed.forEach(this::remove);
        upper.recipients.values().forEach(this::put);
        upper.cursors.values().forEach(this::put);
        upper.settled.forEach(this::settle);
        upper.letters.values().forEach(this::put);
    }

    void put(Subscription subscription) {
        removed.remove(subscription.id());
        recipients.put(subscription.id(), subscription);
    }

    void put(DeliveryCursor cursor) {
        cursors.put(cursor.recipient(), cursor);
    }

    void remove(SubscriptionId id) {
        recipients.remove(id);
        cursors.remove(id);
        removed.add(id);
    }

    void put(DeadLetter letter) {
        settled.remove(letter.key());
        letters.put(letter.key(), letter);
    }

    void settle(SubscriptionId recipient, LogPosition position) {
        settle(DeadLetter.key(recipient, position));
    }

    private void settle(String key) {
        letters.remove(key);
        settled.add(key);
    }

    Optional<Subscription> recipient(SubscriptionId id, StateReader under) {
        if (removed.contains(id)) {
            return Optional.empty();
        }
        Subscription subscription = recipients.get(id);
        return subscription == null ? under.recipient(id) : Optional.of(subscription);
    }

    List<Subscription> recipients(StateReader under) {
        Map<SubscriptionId, Subscription> all = new LinkedHashMap<>();
        under.recipients().forEach(r -> all.put(r.id(), r));
        all.putAll(recipients);
        all.keySet().removeAll(removed);
        return List.copyOf(all.values());
    }

    boolean settled(String letter, StateReader under) {
        return settled.contains(letter) || !letters.containsKey(letter) && under.settled(letter);
    }

    /** The keys of dead letters to delete. */
    public Collection<String> settled() {
        return settled;
    }

    /** Dead letters to write. */
    public Collection<DeadLetter> letters() {
        return letters.values();
    }

    public Collection<Subscription> put() {
        return recipients.values();
    }

    public Collection<DeliveryCursor> cursors() {
        return cursors.values();
    }

    public Collection<SubscriptionId> removed() {
        return removed;
    }
}
