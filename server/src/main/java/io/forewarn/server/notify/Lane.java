package io.forewarn.server.notify;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.DeadLetter;
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
 * One recipient's notices, one after the other: the next is sent when the last was taken or given up. All on the feed's
 * thread but {@link #standing}.
 */
final class Lane implements Follower {
    private static final int FULL = 32;

    /** What a lane asks of its surroundings. */
    interface Office {
        /** Tries once, when there is room; {@link Lane#tried} hears of it. */
        void send(Lane lane, Parcel parcel, int attempt);

        /** Calls {@link Lane#rested} after a pause that grows with the tries made. */
        void pause(Lane lane, int tries);

        /** Writes a letter and how far the recipient was told, and calls {@link Lane#buried} when both are durable. */
        void bury(Lane lane, DeadLetter letter, DeliveryCursor cursor);

        /** A letter that was tried again has arrived, or can never be sent. */
        void settled(DeadLetter letter);

        /** The notice a letter stands for; empty if the log no longer has it. */
        Optional<Notice> find(DeadLetter letter) throws StoreException;

        /** Calls {@link Lane#go} in a while. */
        void later(Lane lane);

        /** There is room for more. */
        void hungry(Lane lane);

        int mostTries();

        Instant now();
    }

    /** How it stands, for people: more than the store has yet. */
    record Standing(long told, int dead, int tries, String error, Instant oldest) {}

    private final Subscription subscription;
    private final SubscriptionFilter wants;
    private final Office office;
    private final Deque<Notice> queue = new ArrayDeque<>();
    private final Map<LogPosition, DeadLetter> again = new LinkedHashMap<>();
    private LogPosition read;
    private long told;
    private int dead;
    private Notice current;
    private DeadLetter letter;
    private boolean filling = true;
    private boolean busy;
    private boolean burying;
    private boolean closed;
    private int tries;
    private String error;
    private volatile Standing standing;

    Lane(Subscription subscription, DeliveryCursor cursor, Office office) {
        this.subscription = subscription;
        this.wants = subscription.wants();
        this.office = office;
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

    /** Once full it waits until there is room for many: one read of the store is to serve more than one notice. */
    @Override
    public boolean isHungry() {
        return filling && !closed;
    }

    @Override
    public void take(Sheet sheet) {
        for (Notice notice : sheet.notices()) {
            if (read.isBefore(notice.place()) && wants.include(notice.entry().group(), notice.news())) {
                if (queue.size() >= FULL) {
                    filling = false;
                    read = LogPosition.before(notice.place().commit(), notice.place().entry());
                    go();
                    return;
                }
                queue.add(notice);
            }
        }
        filling = queue.size() < FULL;
        read = LogPosition.after(sheet.commit());
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
        office.send(this, Parcel.of(current), tries);
    }

    private boolean choose() {
        letter = null;
        tries = 0;
        current = queue.peek();
        Iterator<DeadLetter> letters = again.values().iterator();
        while (current == null && letters.hasNext()) {
            letter = letters.next();
            try {
                current = office.find(letter).orElse(null);
            } catch (StoreException unreadable) {
                letter = null;
                office.later(this);
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
    void tried(Fate fate) {
        if (closed) {
            return;
        }
        error = fate.error();
        if (fate.taken()) {
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
        if (tries < office.mostTries()) {
            show();
            office.pause(this, tries);
            return;
        }
        DeadLetter given = new DeadLetter(
                subscription.id(),
                current.place(),
                current.news().name(),
                current.entry().event() == null ? "" : current.entry().event().toString(),
                office.now(),
                tries,
                fate.error(),
                false);
        burying = true;
        office.bury(
                this, given, letter == null ? new DeliveryCursor(subscription.id(), current.place(), told, dead + 1) : cursor());
    }

    /** The pause is over. */
    void rested() {
        busy = false;
        go();
    }

    /**
     * It lies where it can be found, and the next one may be tried.
     *
     * @param dropped older ones that gave way to it
     */
    void buried(Collection<DeadLetter> dropped) {
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
            office.hungry(this);
        }
        go();
    }

    private void settle() {
        dead = Math.max(0, dead - 1);
        office.settled(letter);
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
        Notice next = queue.peek();
        LogPosition position = next == null
                ? read
                : LogPosition.before(next.place().commit(), next.place().entry());
        return new DeliveryCursor(subscription.id(), position, told, dead);
    }

    private void show() {
        Notice next = queue.peek();
        standing = new Standing(
                told, dead, tries, error, next == null ? null : next.entry().at());
    }
}
