package io.forewarn.server.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.DeliveryOptions;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionFilter;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.notification.WebhookFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
    private Instant now = LogFixture.NOON;

    @BeforeEach
    void open() throws Exception {
        log = new LogFixture(folder);
        queue = queue(OPS, DigestSchedule.Frequency.NOW);
    }

    private DeliveryQueue queue(SubscriptionId id, DigestSchedule.Frequency frequency) {
        Subscription subscription = new Subscription(
                id,
                Set.of(),
                NotificationType.usual(),
                "https://example.org/",
                List.of(),
                "whsec_c2VjcmV0",
                LogFixture.NOON,
                0,
                new DeliveryOptions(frequency, null, WebhookFormat.CLOUDEVENTS));
        return new DeliveryQueue(subscription, new DeliveryCursor(id, LogPosition.after(0), 0, 0), this);
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
    public List<Notification> find(DeadLetter lost, SubscriptionFilter wants) throws StoreException {
        if (unreadable) {
            throw new StoreException(StoreException.Kind.REJECTED, "the disk does not answer");
        }
        return log.feed.notifications(lost.position(), lost.last(), wants);
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
        return now;
    }

    @Override
    public LogPosition end() {
        return log.feed.end();
    }

    @Override
    public DigestSchedule schedule(Subscription of) {
        return new DigestSchedule(of.options().digest(), ZoneId.of("UTC"), LocalTime.of(8, 0));
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

    // Digests

    private static final SubscriptionId DIGEST = new SubscriptionId(Channel.MAIL, SubscriptionId.EVERY_TENANT, "ops");

    private void digest() {
        queue = queue(DIGEST, DigestSchedule.Frequency.HOURLY);
        log.feed.follow(queue);
        run();
    }

    private void write(int count, Duration afterNoon) throws Exception {
        for (int i = 0; i < count; i++) {
            log.feed.arrived(log.write(LogFixture.NOON.plus(afterNoon)));
        }
        run();
    }

    /** As the notifier does every second. */
    private void ticks(Duration afterNoon) {
        now = LogFixture.NOON.plus(afterNoon);
        for (int i = 0; i < 3; i++) {
            queue.tick();
            log.feed.wake();
            run();
        }
    }

    @Test
    void aDigestHasAllNotificationsOfItsPeriod() throws Exception {
        digest();
        write(70, Duration.ofMinutes(1));
        write(70, Duration.ofMinutes(59));
        write(1, Duration.ofMinutes(60));
        ticks(Duration.ofMinutes(59));
        assertEquals(List.of(), sent);
        assertEquals(LogPosition.after(0), queue.cursor().position());
        assertNull(queue.status().oldest(), "nothing is late");
        ticks(Duration.ofMinutes(60));
        assertEquals(1, sent.size());
        assertEquals(140, queue.status().delivered());
        assertEquals(new LogPosition(140, LogPosition.END), queue.cursor().position());
        ticks(Duration.ofMinutes(120));
        assertEquals(2, sent.size());
        assertEquals(141, queue.status().delivered());
    }

    @Test
    void anAnswerThatWasLostMakesTheSameDigestAgain() throws Exception {
        digest();
        write(50, Duration.ofMinutes(1));
        ticks(Duration.ofMinutes(60));
        List<String> first = List.copyOf(sent);
        queue.close();
        digest(); // From the cursor before: the writer died before it could save.
        ticks(Duration.ofMinutes(61));
        assertEquals(List.of(first.get(0), first.get(0)), sent);
    }

    @Test
    void aPeriodWithMoreThanOneMailTakesComesInSeveral() throws Exception {
        digest();
        write(DeliveryQueue.LARGEST_DIGEST + 3, Duration.ofMinutes(1));
        ticks(Duration.ofMinutes(60));
        ticks(Duration.ofMinutes(60));
        assertEquals(2, sent.size());
        assertEquals(DeliveryQueue.LARGEST_DIGEST + 3, queue.status().delivered());
    }

    @Test
    void aDigestThatCannotBeDeliveredIsOneLetterAndIsResentWhole() throws Exception {
        digest();
        answer = "it answered 451";
        write(40, Duration.ofMinutes(1));
        ticks(Duration.ofMinutes(60));
        assertEquals(DeadLetter.DIGEST, letter.what());
        assertEquals(new LogPosition(1, 0), letter.position());
        assertEquals(new LogPosition(40, 0), letter.last());
        assertEquals(new DeliveryCursor(DIGEST, new LogPosition(40, 0), 0, 1), cursor);
        queue.givenUp(List.of());
        answer = null;
        queue.deadLetters(1, List.of(letter.resent()));
        run();
        assertEquals(1, sent.stream().distinct().count(), sent.toString());
        assertEquals(3, sent.size());
        assertEquals(40, queue.status().delivered());
        assertEquals(List.of(letter.resent()), settled);
    }
}
