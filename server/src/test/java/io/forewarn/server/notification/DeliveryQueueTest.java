package io.forewarn.server.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
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
final class DeliveryQueueTest implements DeliveryQueue.DeliveryContext {
    private static final SubscriptionId OPS = new SubscriptionId(Channel.WEBHOOK, SubscriptionId.EVERY_TENANT, "ops");

    @TempDir
    private Path folder;

    private LogFixture log;
    private DeliveryQueue queue;
    private final List<String> sent = new ArrayList<>();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final List<DeadLetter> settled = new ArrayList<>();
    private String answer;
    private boolean unreadable;
    private DeadLetter letter;
    private DeliveryCursor cursor;

    @BeforeEach
    void open() throws Exception {
        log = new LogFixture(folder);
        Subscription subscription = new Subscription(
                OPS,
                Set.of(),
                NotificationType.usual(),
                "https://example.org/",
                List.of(),
                "whsec_c2VjcmV0",
                LogFixture.NOON,
                0);
        queue = new DeliveryQueue(subscription, new DeliveryCursor(OPS, LogPosition.after(0), 0, 0), this);
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Override
    public void send(DeliveryQueue by, OutgoingMessage message, int attempt) {
        sent.add(message.id());
        later.add(() -> by.tried(answer == null ? DeliveryResult.TAKEN : DeliveryResult.failed(answer)));
    }

    @Override
    public void pause(DeliveryQueue by, int tries) {
        later.add(by::pauseEnded);
    }

    @Override
    public void giveUp(DeliveryQueue by, DeadLetter given, DeliveryCursor after) {
        letter = given;
        cursor = after;
    }

    @Override
    public void settled(DeadLetter arrived) {
        settled.add(arrived);
    }

    @Override
    public Optional<Notification> find(DeadLetter lost) throws StoreException {
        if (unreadable) {
            throw new StoreException(StoreException.Kind.REJECTED, "the disk does not answer");
        }
        return log.feed.notification(lost.position());
    }

    @Override
    public void later(DeliveryQueue by) {
        later.add(by::sendNext);
    }

    @Override
    public void hasRoom(DeliveryQueue by) {
        log.feed.wake();
    }

    @Override
    public int maxAttempts() {
        return 2;
    }

    @Override
    public Instant now() {
        return LogFixture.NOON;
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
    void aFollowerFarBehindCatchesUpWithoutPauses() throws Exception {
        for (int i = 0; i < 500; i++) {
            log.feed.arrived(log.write());
        }
        log.feed.follow(queue);
        run();
        assertEquals(500, sent.size());
        assertEquals(500, queue.status().delivered());
        assertEquals(LogPosition.after(500), queue.cursor().position());
        assertEquals(sent, sent.stream().distinct().toList());
    }

    @Test
    void aNotificationIsNotSkippedBeforeItsDeadLetterIsDurable() throws Exception {
        log.feed.arrived(log.write());
        log.feed.arrived(log.write());
        log.feed.follow(queue);
        answer = "it answered 500";
        run();
        assertEquals(2, sent.size());
        assertEquals(new LogPosition(1, 0), letter.position());
        assertEquals(new DeliveryCursor(OPS, new LogPosition(1, 0), 0, 1), cursor);
        assertEquals(new DeliveryCursor(OPS, LogPosition.after(0), 0, 0), queue.cursor());
        answer = null;
        queue.givenUp(List.of());
        run();
        assertEquals(3, sent.size());
        assertEquals(new DeliveryCursor(OPS, LogPosition.after(2), 1, 1), queue.cursor());
    }

    @Test
    void aDeadLetterWhoseNotificationCannotBeReadIsKept() throws Exception {
        log.feed.arrived(log.write());
        log.feed.follow(queue);
        answer = "it answered 500";
        run();
        queue.givenUp(List.of());
        answer = null;
        unreadable = true;
        queue.deadLetters(1, List.of(letter.resent()));
        step();
        assertTrue(settled.isEmpty());
        assertEquals(2, sent.size());
        unreadable = false;
        run();
        assertEquals(3, sent.size());
        assertEquals(List.of(letter.resent()), settled);
        assertEquals(0, queue.status().deadLetters());
    }

    @Test
    void aDeadLetterWhoseNotificationWasDroppedIsSettled() {
        DeadLetter old = new DeadLetter(
                OPS, new LogPosition(7, 0), "SCHEDULED", "", LogFixture.NOON, 3, "it answered 500", true);
        queue.deadLetters(1, List.of(old));
        assertEquals(List.of(old), settled);
        assertEquals(0, sent.size());
    }

    @Test
    void theOldestGiveWayAndNoLongerCount() throws Exception {
        DeadLetter old = new DeadLetter(
                OPS, new LogPosition(1, 0), "SCHEDULED", "", LogFixture.NOON, 3, "it answered 500", true);
        answer = "it answered 500";
        log.feed.arrived(log.write());
        log.feed.arrived(log.write());
        log.feed.follow(queue);
        log.run();
        queue.deadLetters(DeadLetters.MOST, List.of(old));
        run();
        assertEquals(DeadLetters.MOST + 1, cursor.dead());
        queue.givenUp(List.of(old));
        assertEquals(DeadLetters.MOST, queue.status().deadLetters());
        run();
        queue.givenUp(List.of());
        run();
        assertEquals(4, sent.size(), "what gave way is not tried again");
    }
}
