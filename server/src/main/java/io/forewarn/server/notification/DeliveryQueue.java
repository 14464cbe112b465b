package io.forewarn.server.notification;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionFilter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One subscription's notifications, in order: the next is sent when the last was accepted or given up. For the notification
 * thread, except {@link #status}.
 */
final class DeliveryQueue implements LogConsumer {
    private static final int FULL = 32;

    /** What a queue needs from the notifier. */
    interface DeliveryContext {
        /** Makes one attempt when there is room, and passes the result to {@link DeliveryQueue#tried}. */
        void send(DeliveryQueue queue, OutgoingMessage message, int attempt);

        /** Calls {@link DeliveryQueue#pauseEnded} after a pause that grows with the number of attempts. */
        void pause(DeliveryQueue queue, int attempts);

        /** Stores a dead letter and the cursor, and calls {@link DeliveryQueue#givenUp} when both are durable. */
        void giveUp(DeliveryQueue queue, DeadLetter letter, DeliveryCursor cursor);

        /** A dead letter that was resent has arrived, or can no longer be sent. */
        void settled(DeadLetter letter);

        /** The notification of a dead letter; empty if the log no longer contains it. */
        Optional<Notification> find(DeadLetter letter) throws StoreException;

        /** Calls {@link DeliveryQueue#sendNext} after a pause. */
        void later(DeliveryQueue queue);

        /** The queue has room for more notifications. */
        void hasRoom(DeliveryQueue queue);

        int maxAttempts();

        Instant now();
    }

    /** The present state, for people; it may be ahead of what is stored. */
    record Status(long delivered, int deadLetters, int attempts, String error, Instant oldest) {}

    private final Subscription subscription;
    private final SubscriptionFilter wants;
    private final DeliveryContext context;
    private final Deque<Notification> queue = new ArrayDeque<>();
    private final Map<LogPosition, DeadLetter> again = new LinkedHashMap<>();
    private LogPosition read;
    private long delivered;
    private int dead;
    private Notification current;
    private DeadLetter letter;
    private boolean filling = true;
    private boolean busy;
    private boolean givingUp;
    private boolean closed;
    private int attempts;
    private String error;
    private volatile Status status;

    DeliveryQueue(Subscription subscription, DeliveryCursor cursor, DeliveryContext context) {
        this.subscription = subscription;
        this.wants = subscription.wants();
        this.context = context;
        this.read = cursor.position();
        this.delivered = cursor.delivered();
        this.dead = cursor.dead();
        updateStatus();
    }

    Subscription recipient() {
        return subscription;
    }

    Status status() {
        return status;
    }

    @Override
    public LogPosition position() {
        return read;
    }

    /** Once full, it waits until half of it is empty, so that one read of the store yields several notifications. */
    @Override
    public boolean wantsMore() {
        return filling && !closed;
    }

    @Override
    public void take(NotificationPage page) {
        for (Notification notification : page.notifications()) {
            if (read.isBefore(notification.position())
                    && wants.include(notification.entry().group(), notification.news())) {
                if (queue.size() >= FULL) {
                    filling = false;
                    read = LogPosition.before(
                            notification.position().commit(),
                            notification.position().entry());
                    sendNext();
                    return;
                }
                queue.add(notification);
            }
        }
        filling = queue.size() < FULL;
        read = LogPosition.after(page.commit());
        sendNext();
    }

    @Override
    public void skip(LogPosition to) {
        read = to;
        updateStatus();
    }

    /**
     * Sets its dead letters, as stored.
     *
     * @param count how many there are
     * @param resent those to send again once no newer notification waits
     */
    void deadLetters(int count, Collection<DeadLetter> resent) {
        dead = count;
        resent.stream()
                .filter(l -> letter == null || !l.position().equals(letter.position()))
                .forEach(l -> again.putIfAbsent(l.position(), l));
        sendNext();
    }

    /** Whether the dead letter for this position is being stored for the first time. */
    boolean isGivingUp(LogPosition position) {
        return givingUp && letter == null && current.position().equals(position);
    }

    boolean isGivingUp() {
        return givingUp;
    }

    /** Sends the next notification, unless it is waiting for something. */
    void sendNext() {
        updateStatus();
        if (busy || closed) {
            return;
        }
        if (current == null && !choose()) {
            return;
        }
        busy = true;
        context.send(this, OutgoingMessage.of(current), attempts);
    }

    private boolean choose() {
        letter = null;
        attempts = 0;
        current = queue.peek();
        Iterator<DeadLetter> letters = again.values().iterator();
        while (current == null && letters.hasNext()) {
            letter = letters.next();
            try {
                current = context.find(letter).orElse(null);
            } catch (StoreException unreadable) {
                letter = null;
                context.later(this);
                return false;
            }
            letters.remove();
            if (current == null) {
                settle();
            }
        }
        return current != null;
    }

    /** The result of an attempt. */
    void tried(DeliveryResult result) {
        if (closed) {
            return;
        }
        error = result.error();
        if (result.taken()) {
            delivered++;
            if (letter == null) {
                queue.poll();
            } else {
                settle();
            }
            next();
            return;
        }
        attempts++;
        if (attempts < context.maxAttempts()) {
            updateStatus();
            context.pause(this, attempts);
            return;
        }
        DeadLetter given = new DeadLetter(
                subscription.id(),
                current.position(),
                current.news().name(),
                current.entry().event() == null ? "" : current.entry().event().toString(),
                context.now(),
                attempts,
                result.error(),
                false);
        givingUp = true;
        context.giveUp(
                this,
                given,
                letter == null
                        ? new DeliveryCursor(subscription.id(), current.position(), delivered, dead + 1)
                        : cursor());
    }

    /** The pause is over. */
    void pauseEnded() {
        busy = false;
        sendNext();
    }

    /**
     * The dead letter is durable, and the next notification may be sent.
     *
     * @param dropped older ones that gave way to it
     */
    void givenUp(Collection<DeadLetter> dropped) {
        givingUp = false;
        if (closed) {
            return;
        }
        if (letter == null) {
            queue.poll();
            dead++;
        }
        dead = Math.max(0, dead - dropped.size());
        dropped.forEach(l -> again.remove(l.position()));
        next();
    }

    private void next() {
        current = null;
        letter = null;
        attempts = 0;
        busy = false;
        if (!filling && queue.size() < FULL / 2) {
            filling = true;
            context.hasRoom(this);
        }
        sendNext();
    }

    private void settle() {
        dead = Math.max(0, dead - 1);
        context.settled(letter);
        letter = null;
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** The position up to which nothing needs to be sent again. */
    DeliveryCursor cursor() {
        Notification next = queue.peek();
        LogPosition position = next == null
                ? read
                : LogPosition.before(next.position().commit(), next.position().entry());
        return new DeliveryCursor(subscription.id(), position, delivered, dead);
    }

    private void updateStatus() {
        Notification next = queue.peek();
        status = new Status(
                delivered,
                dead,
                attempts,
                error,
                next == null ? null : next.entry().at());
    }
}
