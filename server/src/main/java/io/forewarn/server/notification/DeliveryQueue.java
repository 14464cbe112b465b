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
 * thread, except {@link #standing}.
 */
final class DeliveryQueue implements LogConsumer {
    private static final int FULL = 32;

    /** What a queue needs from the notifier. */
    interface DeliveryContext {
        /** Tries once, when there is room; {@link DeliveryQueue#tried} hears of it. */
        void send(DeliveryQueue lane, OutgoingMessage message, int attempt);

        /** Calls {@link DeliveryQueue#rested} after a pause that grows with the tries made. */
        void pause(DeliveryQueue lane, int tries);

        /** Writes a letter and how far the recipient was told, and calls {@link DeliveryQueue#buried} when both are durable. */
        void bury(DeliveryQueue lane, DeadLetter letter, DeliveryCursor cursor);

        /** A letter that was tried again has arrived, or can never be sent. */
        void settled(DeadLetter letter);

        /** The notification a letter stands for; empty if the log no longer has it. */
        Optional<Notification> find(DeadLetter letter) throws StoreException;

        /** Calls {@link DeliveryQueue#go} in a while. */
        void later(DeliveryQueue lane);

        /** There is room for more. */
        void hungry(DeliveryQueue lane);

        int mostTries();

        Instant now();
    }

    /** How it stands, for people: more than the store has yet. */
    record Standing(long told, int dead, int tries, String error, Instant oldest) {}

    private final Subscription subscription;
    private final SubscriptionFilter wants;
    private final DeliveryContext context;
    private final Deque<Notification> queue = new ArrayDeque<>();
    private final Map<LogPosition, DeadLetter> again = new LinkedHashMap<>();
    private LogPosition read;
    private long told;
    private int dead;
    private Notification current;
    private DeadLetter letter;
    private boolean filling = true;
    private boolean busy;
    private boolean burying;
    private boolean closed;
    private int tries;
    private String error;
    private volatile Standing standing;

    DeliveryQueue(Subscription subscription, DeliveryCursor cursor, DeliveryContext context) {
        this.subscription = subscription;
        this.wants = subscription.wants();
        this.context = context;
        this.read = cursor.place();
        this.told = cursor.told();
        this.dead = cursor.dead();
        show();
    }

    Subscription recipient() {
        return subscription;
    }

    Standing standing() {
        return standing;
    }

    @Override
    public LogPosition place() {
        return read;
    }

    /** Once full it waits until there is room for many: one read of the store is to serve more than one notification. */
    @Override
    public boolean wantsMore() {
        return filling && !closed;
    }

    @Override
    public void take(NotificationPage page) {
        for (Notification notification : page.notifications()) {
            if (read.isBefore(notification.place())
                    && wants.include(notification.entry().group(), notification.news())) {
                if (queue.size() >= FULL) {
                    filling = false;
                    read = LogPosition.before(
                            notification.place().commit(), notification.place().entry());
                    go();
                    return;
                }
                queue.add(notification);
            }
        }
        filling = queue.size() < FULL;
        read = LogPosition.after(page.commit());
        go();
    }

    @Override
    public void skip(LogPosition to) {
        read = to;
        show();
    }

    /**
     * Its letters, as the store has them.
     *
     * @param count how many there are
     * @param resent those to try again, once there is nothing newer to tell
     */
    void letters(int count, Collection<DeadLetter> resent) {
        dead = count;
        resent.stream()
                .filter(l -> letter == null || !l.place().equals(letter.place()))
                .forEach(l -> again.putIfAbsent(l.place(), l));
        go();
    }

    /** Whether the letter for this place is being written for the first time. */
    boolean isBurying(LogPosition position) {
        return burying && letter == null && current.place().equals(position);
    }

    boolean isBurying() {
        return burying;
    }

    /** Goes on, if it is not waiting for something. */
    void go() {
        show();
        if (busy || closed) {
            return;
        }
        if (current == null && !choose()) {
            return;
        }
        busy = true;
        context.send(this, OutgoingMessage.of(current), tries);
    }

    private boolean choose() {
        letter = null;
        tries = 0;
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

    /** What became of it. */
    void tried(DeliveryResult result) {
        if (closed) {
            return;
        }
        error = result.error();
        if (result.taken()) {
            told++;
            if (letter == null) {
                queue.poll();
            } else {
                settle();
            }
            next();
            return;
        }
        tries++;
        if (tries < context.mostTries()) {
            show();
            context.pause(this, tries);
            return;
        }
        DeadLetter given = new DeadLetter(
                subscription.id(),
                current.place(),
                current.news().name(),
                current.entry().event() == null ? "" : current.entry().event().toString(),
                context.now(),
                tries,
                result.error(),
                false);
        burying = true;
        context.bury(
                this,
                given,
                letter == null ? new DeliveryCursor(subscription.id(), current.place(), told, dead + 1) : cursor());
    }

    /** The pause is over. */
    void rested() {
        busy = false;
        go();
    }

    /**
     * The dead letter is durable, and the next notification may be sent.
     *
     * @param dropped older ones that gave way to it
     */
    void givenUp(Collection<DeadLetter> dropped) {
        burying = false;
        if (closed) {
            return;
        }
        if (letter == null) {
            queue.poll();
            dead++;
        }
        dead = Math.max(0, dead - dropped.size());
        dropped.forEach(l -> again.remove(l.place()));
        next();
    }

    private void next() {
        current = null;
        letter = null;
        tries = 0;
        busy = false;
        if (!filling && queue.size() < FULL / 2) {
            filling = true;
            context.hungry(this);
        }
        go();
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

    /** How far it need not be told again. */
    DeliveryCursor cursor() {
        Notification next = queue.peek();
        LogPosition position = next == null
                ? read
                : LogPosition.before(next.place().commit(), next.place().entry());
        return new DeliveryCursor(subscription.id(), position, told, dead);
    }

    private void show() {
        Notification next = queue.peek();
        standing = new Standing(
                told, dead, tries, error, next == null ? null : next.entry().at());
    }
}
