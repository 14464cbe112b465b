package io.forewarn.server.notification;

import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reports the delivery status of subscriptions: the same on every node, except for what only the sending node knows. Any
 * thread.
 */
final class DeliveryStatus {
    private final BacklogCounter backlogCounter;
    private final Function<SubscriptionId, DeliveryQueue> queues;

    /** @param queues returns null for subscriptions that another node serves */
    DeliveryStatus(BacklogCounter backlogCounter, Function<SubscriptionId, DeliveryQueue> queues) {
        this.backlogCounter = backlogCounter;
        this.queues = queues;
    }

    /** How far a subscription was served, as stored. */
    static DeliveryCursor cursor(PublishedState published, Subscription subscription) {
        return published
                .cursor(subscription.id())
                .orElse(new DeliveryCursor(subscription.id(), LogPosition.after(subscription.since()), 0, 0));
    }

    /** Reads the store: not for an event loop. */
    Map<SubscriptionId, Notifier.Status> of(PublishedState published, Collection<Subscription> recipients) {
        Map<Subscription, DeliveryCursor> cursors = new LinkedHashMap<>();
        recipients.forEach(subscription -> cursors.put(subscription, cursor(published, subscription)));
        Map<SubscriptionId, Long> counts = waiting(published, cursors);
        Map<SubscriptionId, Notifier.Status> statuses = new HashMap<>();
        cursors.forEach((subscription, cursor) -> {
            SubscriptionId id = subscription.id();
            Optional<DeliveryQueue.Status> queue =
                    Optional.ofNullable(queues.apply(id)).map(DeliveryQueue::status);
            int attempts = queue.map(DeliveryQueue.Status::attempts).orElse(0);
            String error = queue.map(DeliveryQueue.Status::error).orElse("");
            statuses.put(id, new Notifier.Status(cursor.delivered(), counts.get(id), cursor.dead(), attempts, error));
        });
        return statuses;
    }

    private Map<SubscriptionId, Long> waiting(PublishedState published, Map<Subscription, DeliveryCursor> cursors) {
        Map<Subscription, LogPosition> positions = new LinkedHashMap<>();
        cursors.forEach((subscription, cursor) -> positions.put(subscription, cursor.position()));
        try {
            return backlogCounter.waiting(
                    positions, id -> published.recipient(id).isPresent());
        } catch (StoreException unreadable) {
            return Map.of(); // The rest of the status needs no store.
        }
    }
}
