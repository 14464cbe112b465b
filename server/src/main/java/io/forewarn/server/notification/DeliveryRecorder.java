package io.forewarn.server.notification;

import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Stores how far each subscription has been delivered, and which notifications were given up. A dead letter is durable,
 * together with the cursor that passes it, before its queue continues. For the notification thread.
 */
final class DeliveryRecorder {
    private static final int PER_COMMAND = 40;
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    private final DeadLetters deadLetters;
    private final NotificationThread thread;
    private final Map<SubscriptionId, DeliveryCursor> saved = new HashMap<>();
    private final ChannelCounter deadLettered = new ChannelCounter();
    private CommandGateway gateway;
    private boolean saving;

    DeliveryRecorder(DeadLetters deadLetters, NotificationThread thread) {
        this.deadLetters = deadLetters;
        this.thread = thread;
    }

    /** Before anything else. */
    void start(CommandGateway running) {
        gateway = running;
    }

    /** A queue was opened at a cursor that is in the store. */
    void opened(DeliveryCursor cursor) {
        saved.put(cursor.recipient(), cursor);
    }

    void closed(SubscriptionId id) {
        saved.remove(id);
    }

    /**
     * Saves cursors that have moved, and deletes settled dead letters. What the store rejects is saved by a later call.
     *
     * @param everything also cursors that only passed what their subscription does not want
     */
    CompletableFuture<?> save(Collection<DeliveryQueue> queues, boolean everything) {
        if (saving) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (List<DeliveryCursor> some : slices(moved(queues, everything))) {
            asked.add(gateway.submit(new Command.Posted(some, List.of(), List.of()))
                    .thenRun(() -> thread.run(() -> some.forEach(c -> saved.replace(c.recipient(), c)))));
        }
        for (List<DeadLetter> some : slices(deadLetters.settled())) {
            asked.add(gateway.submit(new Command.Posted(List.of(), List.of(), some))
                    .thenRun(() -> thread.run(() -> deadLetters.saved(some))));
        }
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        saving = true;
        CompletableFuture<Void> all = CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]));
        all.whenComplete((done, refused) -> thread.run(() -> saving = false));
        return all;
    }

    /** Saves for the last time, even if an earlier save has not ended and may never do so. */
    CompletableFuture<?> saveLast(Collection<DeliveryQueue> queues) {
        saving = false;
        return save(queues, true);
    }

    private List<DeliveryCursor> moved(Collection<DeliveryQueue> queues, boolean everything) {
        List<DeliveryCursor> cursors = new ArrayList<>();
        for (DeliveryQueue queue : queues) {
            if (queue.isGivingUp()) {
                continue; // Its cursor is stored together with its dead letter.
            }
            DeliveryCursor now = queue.cursor();
            DeliveryCursor before = saved.get(now.recipient());
            boolean counted = before == null || before.delivered() != now.delivered() || before.dead() != now.dead();
            if (counted || everything && !now.equals(before)) {
                cursors.add(now);
            }
        }
        return cursors;
    }

    private static <T> List<List<T>> slices(List<T> all) {
        List<List<T>> slices = new ArrayList<>();
        for (int from = 0; from < all.size(); from += PER_COMMAND) {
            slices.add(List.copyOf(all.subList(from, Math.min(all.size(), from + PER_COMMAND))));
        }
        return slices;
    }

    /** Stores a dead letter, retrying until the store accepts it, and then continues its queue. */
    void giveUp(DeliveryQueue queue, DeadLetter letter, DeliveryCursor cursor) {
        if (queue.isClosed()) {
            return;
        }
        List<DeadLetter> dropped = tooMany(cursor);
        DeliveryCursor after = new DeliveryCursor(
                cursor.recipient(), cursor.position(), cursor.delivered(), Math.max(0, cursor.dead() - dropped.size()));
        gateway.submit(new Command.Posted(List.of(after), List.of(letter), dropped))
                .whenComplete((done, refused) -> {
                    if (refused == null) {
                        thread.run(() -> {
                            deadLettered.increment(letter.recipient().channel());
                            saved.replace(after.recipient(), after);
                            queue.givenUp(dropped);
                        });
                    } else {
                        thread.in(TRY_AGAIN, () -> giveUp(queue, letter, cursor));
                    }
                });
    }

    /** The oldest dead letters beyond the limit, which are dropped. */
    private List<DeadLetter> tooMany(DeliveryCursor cursor) {
        try {
            int over = cursor.dead() - DeadLetters.MOST;
            return over <= 0 ? List.of() : deadLetters.oldest(cursor.recipient(), Math.min(over, PER_COMMAND));
        } catch (StoreException unreadable) {
            return List.of();
        }
    }

    /** How many notifications were given up. Any thread. */
    long deadLettered(Channel channel) {
        return deadLettered.of(channel);
    }
}
