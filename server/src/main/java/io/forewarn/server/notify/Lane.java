package io.forewarn.server.notify;

import io.forewarn.core.notice.Cursor;
import io.forewarn.core.notice.Letter;
import io.forewarn.core.notice.Place;
import io.forewarn.core.notice.Recipient;
import io.forewarn.core.notice.Wants;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

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

        /** Calls {@link Lane#go} after a pause that grows with the tries made. */
        void pause(Lane lane, int tries);

        /** Writes a letter and how far the recipient was told, and calls {@link Lane#buried} when both are durable. */
        void bury(Lane lane, Letter letter, Cursor cursor);

        /** A letter that was tried again has arrived. */
        void settled(Letter letter);

        /** The notice a letter stands for; null if the log no longer has it. */
        Notice find(Letter letter);

        int mostTries();

        Instant now();
    }

    /** How it stands, for people. */
    record Standing(long told, int waiting, int dead, int tries, String error, Instant oldest) {}

    private final Recipient recipient;
    private final Wants wants;
    private final Office office;
    private final Deque<Notice> queue = new ArrayDeque<>();
    private final Deque<Letter> again = new ArrayDeque<>();
    private Place read;
    private long told;
    private int dead;
    private Notice current;
    private Letter letter;
    private boolean busy;
    private boolean closed;
    private int tries;
    private String error;
    private volatile Standing standing;

    Lane(Recipient recipient, Cursor cursor, Office office) {
        this.recipient = recipient;
        this.wants = recipient.wants();
        this.office = office;
        this.read = cursor.place();
        this.told = cursor.told();
        this.dead = cursor.dead();
        show();
    }

    Recipient recipient() {
        return recipient;
    }

    Standing standing() {
        return standing;
    }

    @Override
    public Place place() {
        return read;
    }

    @Override
    public boolean isHungry() {
        return queue.size() < FULL && !closed;
    }

    @Override
    public void take(Sheet sheet) {
        for (Notice notice : sheet.notices()) {
            if (read.isBefore(notice.place()) && wants.include(notice.entry().group(), notice.news())) {
                if (!isHungry()) {
                    read = Place.before(notice.place().commit(), notice.place().entry());
                    go();
                    return;
                }
                queue.add(notice);
            }
        }
        read = Place.after(sheet.commit());
        go();
    }

    @Override
    public void skip(Place to) {
        read = to;
    }

    /** Letters to try again, once there is nothing newer to tell. */
    void again(Collection<Letter> letters) {
        letters.stream().filter(l -> !again.contains(l) && !l.equals(letter)).forEach(again::add);
        go();
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
        while (current == null && !again.isEmpty()) {
            letter = again.poll();
            current = office.find(letter);
            if (current == null) {
                settle();
            }
        }
        return current != null;
    }

    /** @param why null if it was taken */
    void tried(String why) {
        if (closed) {
            return;
        }
        error = why;
        if (why == null) {
            told++;
            done();
            busy = false;
            go();
            return;
        }
        tries++;
        if (tries < office.mostTries()) {
            show();
            office.pause(this, tries);
            return;
        }
        Letter given = new Letter(
                recipient.id(),
                current.place(),
                current.news().name(),
                current.entry().event() == null ? "" : current.entry().event().toString(),
                office.now(),
                tries,
                why,
                false);
        boolean first = letter == null;
        dead += first ? 1 : 0;
        if (first) {
            queue.poll();
        }
        office.bury(this, given, cursor());
    }

    /** The pause is over. */
    void rested() {
        busy = false;
        go();
    }

    /** It lies where it can be found, and the next one may be tried. */
    void buried() {
        current = null;
        letter = null;
        busy = false;
        go();
    }

    private void done() {
        if (letter == null) {
            queue.poll();
        } else {
            settle();
        }
        current = null;
        letter = null;
        tries = 0;
    }

    private void settle() {
        dead = Math.max(0, dead - 1);
        office.settled(letter);
        letter = null;
    }

    void close() {
        closed = true;
    }

    /** How far it need not be told again. */
    Cursor cursor() {
        Notice next = queue.peek();
        Place place = next == null
                ? read
                : Place.before(next.place().commit(), next.place().entry());
        return new Cursor(recipient.id(), place, told, dead);
    }

    private void show() {
        Notice next = queue.peek();
        standing = new Standing(
                told,
                queue.size() + again.size(),
                dead,
                tries,
                error,
                next == null ? null : next.entry().at());
    }
}
