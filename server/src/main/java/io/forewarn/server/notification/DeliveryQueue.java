package io.forewarn.server.notification;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionFilter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One subscription's notifications, in order: the next is sent when the last was accepted or given up. For the notification
 * thread, except {@link #status}.
 *
 * <p>A digest needs nothing that is stored: its notifications stay in the log, behind the cursor, until it was accepted.
 * Until its period is over the queue holds only the first of them, and then reads on. After a restart, or at another node,
 * the same entries make the same digest, because the period is taken from the entries.
 */
final class DeliveryQueue implements LogConsumer {
    private static final int FULL = 32;

    /** The most notifications in one digest; more of the same period make another. */
    static final int LARGEST_DIGEST = 2000;

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

        /** The notifications a letter stands for; empty if the log no longer has them. */
        List<Notification> find(DeadLetter letter, SubscriptionFilter wants) throws StoreException;

        /** The end of the log. */
        LogPosition end();

        DigestSchedule schedule(Subscription subscription);

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
    private final DigestSchedule schedule;
    private final DeliveryContext context;
    private final Deque<Notification> queue = new ArrayDeque<>();
    private final Map<LogPosition, DeadLetter> again = new LinkedHashMap<>();
    private LogPosition read;
    private long delivered;
    private int dead;
    private List<Notification> current = List.of();
    private DeadLetter letter;
    /** The end of the period that was over at the last tick. */
    private Instant over;

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
        this.schedule = context.schedule(subscription);
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
                if (queue.size() >= room()) {
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
        filling = queue.size() < room();
        read = LogPosition.after(page.commit());
        sendNext();
    }

    /** A digest whose period is over is read to its end. */
    private int room() {
        return isDue() && !isWhole() ? LARGEST_DIGEST : FULL;
    }

    private boolean isDue() {
        return !schedule.atOnce() && !queue.isEmpty() && end(queue.peek()).equals(over);
    }

    private boolean isWhole() {
        return !end(queue.peekLast()).equals(over) || queue.size() >= LARGEST_DIGEST;
    }

    private Instant end(Notification notification) {
        return schedule.end(notification.entry().at());
    }

    /** Time has passed. About once a second. */
    void tick() {
        if (closed || schedule.atOnce() || queue.isEmpty() || context.now().isBefore(end(queue.peek()))) {
            return;
        }
        if (isDue()) {
            sendNext();
        } else {
            // What was decided before the end of the period may still be on its way here.
            over = end(queue.peek());
            filling = queue.size() < room();
        }
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
        return givingUp && letter == null && current.get(0).position().equals(position);
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
        if (current.isEmpty() && !choose()) {
            return;
        }
        busy = true;
        OutgoingMessage message = schedule.atOnce()
                ? OutgoingMessage.of(current.get(0), subscription, schedule.zone())
                : OutgoingMessage.digest(current, schedule);
        context.send(this, message, attempts);
    }

    /** What is to be sent next: one notification, or all of a period that is over. */
    private List<Notification> ready() {
        if (schedule.atOnce()) {
            return queue.stream().limit(1).toList();
        }
        if (!isDue() || !isWhole() && read.isBefore(context.end())) {
            return List.of();
        }
        return queue.stream()
                .takeWhile(n -> end(n).equals(over))
                .limit(LARGEST_DIGEST)
                .toList();
    }

    private boolean choose() {
        letter = null;
        attempts = 0;
        current = ready();
        Iterator<DeadLetter> letters = again.values().iterator();
        while (current.isEmpty() && letters.hasNext()) {
            letter = letters.next();
            try {
                current = context.find(letter, wants);
            } catch (StoreException unreadable) {
                letter = null;
                context.later(this);
                return false;
            }
            letters.remove();
            if (current.isEmpty()) {
                settle();
            }
        }
        return !current.isEmpty();
    }

    /** The result of an attempt. */
    void tried(DeliveryResult result) {
        if (closed) {
            return;
        }
        error = result.error();
        if (result.taken()) {
            delivered += current.size();
            if (letter == null) {
                drop();
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
        DeadLetter given = letter(result.error());
        givingUp = true;
        context.giveUp(
                this,
                given,
                letter == null ? new DeliveryCursor(subscription.id(), given.last(), delivered, dead + 1) : cursor());
    }

    private DeadLetter letter(String why) {
        Notification first = current.get(0);
        boolean one = current.size() == 1;
        return new DeadLetter(
                subscription.id(),
                first.position(),
                current.get(current.size() - 1).position(),
                one ? first.news().name() : DeadLetter.DIGEST,
                one && first.entry().event() != null ? first.entry().event().toString() : "",
                context.now(),
                attempts,
                why,
                false);
    }

    /** What was sent, or given up, leaves the queue. */
    private void drop() {
        current.forEach(sent -> queue.poll());
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
            drop();
            dead++;
        }
        dead = Math.max(0, dead - dropped.size());
        dropped.forEach(l -> again.remove(l.position()));
        next();
    }

    private void next() {
        current = List.of();
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
        boolean waits = next == null || !schedule.atOnce() && !isDue();
        status = new Status(delivered, dead, attempts, error, waits ? null : end(next));
    }
}
