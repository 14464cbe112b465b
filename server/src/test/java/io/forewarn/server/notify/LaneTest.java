package io.forewarn.server.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lane on a real feed of a real store. The test is the office: it decides what becomes of each try, and when. */
final class LaneTest implements Lane.Office {
    private static final SubscriptionId OPS = new SubscriptionId(Channel.WEBHOOK, SubscriptionId.EVERY_TENANT, "ops");

    @TempDir
    private Path folder;

    private Chronicle log;
    private Lane lane;
    private final List<String> sent = new ArrayList<>();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final List<DeadLetter> settled = new ArrayList<>();
    private String answer;
    private boolean unreadable;
    private DeadLetter letter;
    private DeliveryCursor cursor;

    @BeforeEach
    void open() throws Exception {
        log = new Chronicle(folder);
        Subscription subscription = new Subscription(
                OPS, Set.of(), NotificationType.usual(), "https://example.org/", List.of(), "whsec_c2VjcmV0", Chronicle.NOON, 0);
        lane = new Lane(subscription, new DeliveryCursor(OPS, LogPosition.after(0), 0, 0), this);
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Override
    public void send(Lane by, Parcel parcel, int attempt) {
        sent.add(parcel.id());
        later.add(() -> by.tried(answer == null ? Fate.TAKEN : Fate.failed(answer)));
    }

    @Override
    public void pause(Lane by, int tries) {
        later.add(by::rested);
    }

    @Override
    public void bury(Lane by, DeadLetter given, DeliveryCursor after) {
        letter = given;
        cursor = after;
    }

    @Override
    public void settled(DeadLetter arrived) {
        settled.add(arrived);
    }

    @Override
    public Optional<Notice> find(DeadLetter lost) throws StoreException {
        if (unreadable) {
            throw new StoreException(StoreException.Kind.REJECTED, "the disk does not answer");
        }
        return log.feed.notice(lost.place());
    }

    @Override
    public void later(Lane by) {
        later.add(by::go);
    }

    @Override
    public void hungry(Lane by) {
        log.feed.wake();
    }

    @Override
    public int mostTries() {
        return 2;
    }

    @Override
    public Instant now() {
        return Chronicle.NOON;
    }

    /** Until there is nothing more to do. Nothing here comes with the passing of time. */
    private void run() {
        log.run();
        for (Runnable step = later.poll(); step != null; step = later.poll()) {
            step.run();
            log.run();
        }
    }

    private void step() {
        later.remove().run();
        log.run();
    }

    @Test
    void whoIsFarBehindIsToldEverythingWithoutWaitingForTheNextSecond() throws Exception {
        for (int i = 0; i < 500; i++) {
            log.feed.arrived(log.write());
        }
        log.feed.follow(lane);
        run();
        assertEquals(500, sent.size());
        assertEquals(500, lane.standing().told());
        assertEquals(LogPosition.after(500), lane.cursor().place());
        assertEquals(sent, sent.stream().distinct().toList());
    }

    @Test
    void aNoticeIsNotPassedOverBeforeItsLetterIsDurable() throws Exception {
        log.feed.arrived(log.write());
        log.feed.arrived(log.write());
        log.feed.follow(lane);
        answer = "it answered 500";
        run();
        assertEquals(2, sent.size());
        assertEquals(new LogPosition(1, 0), letter.place());
        assertEquals(new DeliveryCursor(OPS, new LogPosition(1, 0), 0, 1), cursor);
        assertEquals(new DeliveryCursor(OPS, LogPosition.after(0), 0, 0), lane.cursor());
        answer = null;
        lane.buried(List.of());
        run();
        assertEquals(3, sent.size());
        assertEquals(new DeliveryCursor(OPS, LogPosition.after(2), 1, 1), lane.cursor());
    }

    @Test
    void aLetterWhoseNoticeCannotBeReadJustNowIsKept() throws Exception {
        log.feed.arrived(log.write());
        log.feed.follow(lane);
        answer = "it answered 500";
        run();
        lane.buried(List.of());
        answer = null;
        unreadable = true;
        lane.letters(1, List.of(letter.resent()));
        step();
        assertTrue(settled.isEmpty());
        assertEquals(2, sent.size());
        unreadable = false;
        run();
        assertEquals(3, sent.size());
        assertEquals(List.of(letter.resent()), settled);
        assertEquals(0, lane.standing().dead());
    }

    @Test
    void aLetterWhoseNoticeTheLogNoLongerHasIsSettled() {
        DeadLetter old = new DeadLetter(OPS, new LogPosition(7, 0), "SCHEDULED", "", Chronicle.NOON, 3, "it answered 500", true);
        lane.letters(1, List.of(old));
        assertEquals(List.of(old), settled);
        assertEquals(0, sent.size());
    }

    @Test
    void theOldestGiveWayAndNoLongerCount() throws Exception {
        DeadLetter old = new DeadLetter(OPS, new LogPosition(1, 0), "SCHEDULED", "", Chronicle.NOON, 3, "it answered 500", true);
        answer = "it answered 500";
        log.feed.arrived(log.write());
        log.feed.arrived(log.write());
        log.feed.follow(lane);
        log.run();
        lane.letters(Letters.MOST, List.of(old));
        run();
        assertEquals(Letters.MOST + 1, cursor.dead());
        lane.buried(List.of(old));
        assertEquals(Letters.MOST, lane.standing().dead());
        run();
        lane.buried(List.of());
        run();
        assertEquals(4, sent.size(), "what gave way is not tried again");
    }
}
