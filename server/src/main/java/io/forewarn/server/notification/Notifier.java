package io.forewarn.server.notification;

import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.engine.RecordFormat;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionFilter;
import io.forewarn.core.notification.SubscriptionId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Delivers to every subscription the notifications it asks for, at least once and in order, from the pages of the log.
 *
 * <p>The log is the outbox: notifications are durable with the decision itself, and nothing more is written on the writer's
 * path. Each subscription has a {@link DeliveryQueue} and a durable {@link DeliveryCursor}, which a command of its own saves
 * about once a second; after a crash whatever came after the cursor is delivered again, under the same ids. All of this runs
 * on one thread that never blocks: requests are made elsewhere and report back.
 */
public final class Notifier implements EngineListener, AutoCloseable {
    /** The result of a test. */
    public record TestResult(boolean delivered, String error) {}

    /**
     * The delivery status of a subscription: numbers of notifications that were delivered, are waiting and are dead letters, as stored.
     *
     * @param waiting null if the log cannot be read at present
     * @param attempts failed attempts for the next notification; known only to the node that sends
     * @param error the last error; blank if there was none, and on nodes that do not send
     */
    public record Status(long delivered, Long waiting, int deadLetters, int attempts, String error) {}

    private static final Set<String> SUBSCRIPTION_CHANGES =
            Set.of(HistoryEntry.What.SUBSCRIPTION_ADDED.name(), HistoryEntry.What.SUBSCRIPTION_REMOVED.name());
    private static final Duration BETWEEN_SAVES = Duration.ofSeconds(1);
    private static final int IDLE_SAVE_TICKS = 300;
    private static final Duration LAST_SAVE = Duration.ofSeconds(3);

    private final NotificationSettings settings;
    private final Clock clock;
    private final ZoneId zone;
    private final NotificationThread thread;
    private final LogFeed feed;
    private final WebhookTargetPolicy targets;
    private final DeadLetters deadLetters;
    private final MessageDispatcher dispatcher;
    private final DeliveryRecorder recorder;
    private final DeliveryStatus status;
    private final DeliveryQueue.DeliveryContext context = new QueueContext();
    private final Map<SubscriptionId, DeliveryQueue> queues = new ConcurrentHashMap<>();
    /** Key prefixes of dead letters that could not be read yet. */
    private final Set<String> unread = new TreeSet<>();

    private CommandGateway gateway;
    private volatile boolean delivers = true;
    private int ticks;

    /**
     * @param clock service time, as in the history
     * @param wall the machine's clock, which receivers compare with their own
     * @param zone of the times in messages, unless a subscription has its own
     * @param faults receives errors of the service itself
     */
    public Notifier(
            NotificationSettings settings,
            Store store,
            RecordFormat format,
            Clock clock,
            Supplier<Instant> wall,
            ZoneId zone,
            Consumer<RuntimeException> faults) {
        this.settings = settings;
        this.zone = zone;
        this.clock = clock;
        this.thread = new NotificationThread(faults);
        this.feed = new LogFeed(store, format, settings.source(), thread::run, thread::soon);
        this.targets = new WebhookTargetPolicy(settings.allowedTargets());
        this.deadLetters = new DeadLetters(store, format);
        this.dispatcher = new MessageDispatcher(settings, targets, wall, thread);
        this.recorder = new DeliveryRecorder(deadLetters, thread);
        this.status = new DeliveryStatus(new BacklogCounter(store, format), queues::get);
    }

    /** Continues where the last run stopped. Must be called before the first turn of the engine. */
    public void start(CommandGateway running) throws StoreException {
        gateway = running;
        recorder.start(running);
        feed.open();
        thread.run(this::begin);
        thread.every(BETWEEN_SAVES, this::tick);
    }

    /** In a cluster only the writer sends notifications, so that they arrive once and in order. Any thread. */
    public void delivers(boolean yes) {
        delivers = yes;
        thread.run(this::begin);
    }

    /** The log may contain pages up to this commit that were not passed to this node. Any thread. */
    public void reloaded(long head) {
        feed.reloaded(head);
    }

    /** A page that another node committed. Any thread. */
    public void replicated(LogPage page) {
        committed(page, 0, 0);
    }

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        feed.arrived(page);
        if (page.entries().stream().anyMatch(e -> SUBSCRIPTION_CHANGES.contains(e.what()))) {
            thread.run(this::reconcile);
        }
        page.entries().stream()
                .filter(e -> e.what().equals(HistoryEntry.What.DELIVERIES_RESENT.name()))
                .forEach(e -> thread.run(() -> resent(e.recipient())));
    }

    @Override
    public void troubled(StoreException problem) {}

    @Override
    public void recovered() {}

    /** Another node may have delivered until now, or does from now on. */
    private void begin() {
        unread.clear();
        deadLetters.forget();
        reconcile();
        if (gateway != null && delivers) {
            readDeadLetters(DeadLetter.PREFIX);
        }
    }

    /** Opens and closes queues so that each subscription has exactly one. */
    private void reconcile() {
        if (gateway == null) {
            return;
        }
        PublishedState published = gateway.view();
        Set<String> left = new TreeSet<>();
        for (DeliveryQueue queue : List.copyOf(queues.values())) {
            Subscription known = published.recipient(queue.recipient().id()).orElse(null);
            if (!delivers || known == null || known.since() != queue.recipient().since()) {
                close(queue);
                left.add(DeadLetter.prefix(queue.recipient().id()));
            }
        }
        if (delivers) {
            published
                    .recipients()
                    .forEach(subscription -> queues.computeIfAbsent(subscription.id(), id -> open(subscription)));
            left.forEach(this::readDeadLetters);
        }
    }

    private DeliveryQueue open(Subscription subscription) {
        DeliveryCursor cursor = DeliveryStatus.cursor(gateway.view(), subscription);
        recorder.opened(cursor);
        DeliveryQueue queue = new DeliveryQueue(subscription, cursor, context);
        feed.follow(queue);
        return queue;
    }

    private void close(DeliveryQueue queue) {
        SubscriptionId id = queue.recipient().id();
        queue.close();
        feed.leave(queue);
        queues.remove(id);
        recorder.closed(id);
    }

    /** @param to null in a page of an older release, which has it only in its text */
    private void resent(SubscriptionId to) {
        if (to == null) {
            readDeadLetters(DeadLetter.PREFIX);
        } else if (queues.containsKey(to)) {
            readDeadLetters(DeadLetter.prefix(to));
        }
    }

    /** Passes dead letters to their queues, and deletes those of removed subscriptions. */
    private void readDeadLetters(String prefix) {
        Map<SubscriptionId, Integer> counts = new HashMap<>();
        Map<SubscriptionId, List<DeadLetter>> again = new HashMap<>();
        try {
            deadLetters.each(prefix, letter -> {
                DeliveryQueue queue = queues.get(letter.recipient());
                if (queue == null
                        || letter.position().commit() < queue.recipient().since()) {
                    deadLetters.settle(letter);
                } else if (!queue.isGivingUp(letter.position())) {
                    counts.merge(letter.recipient(), 1, Integer::sum);
                    if (letter.again()) {
                        again.computeIfAbsent(letter.recipient(), id -> new ArrayList<>())
                                .add(letter);
                    }
                }
            });
        } catch (StoreException unreadable) {
            unread.add(prefix); // Tried again in a second.
            return;
        }
        unread.remove(prefix);
        for (DeliveryQueue queue : List.copyOf(queues.values())) {
            SubscriptionId id = queue.recipient().id();
            if (DeadLetter.prefix(id).startsWith(prefix)) {
                queue.deadLetters(counts.getOrDefault(id, 0), again.getOrDefault(id, List.of()));
            }
        }
    }

    private void tick() {
        ticks++;
        queues.values().forEach(DeliveryQueue::tick);
        feed.wake();
        if (delivers) {
            List.copyOf(unread).forEach(this::readDeadLetters);
        }
        recorder.save(queues.values(), ticks % IDLE_SAVE_TICKS == 0);
    }

    /** Serves the requests of queues. */
    private final class QueueContext implements DeliveryQueue.DeliveryContext {
        @Override
        public void send(DeliveryQueue queue, OutgoingMessage message, int attempt) {
            dispatcher.send(queue, message, attempt);
        }

        @Override
        public void pause(DeliveryQueue queue, int attempts) {
            long longest = settings.maxRetryDelay().toMillis();
            long pause = Math.min(longest, settings.initialRetryDelay().toMillis() << Math.min(attempts - 1, 20));
            long jittered = pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
            thread.in(Duration.ofMillis(Math.max(1, jittered)), queue::pauseEnded);
        }

        @Override
        public void giveUp(DeliveryQueue queue, DeadLetter letter, DeliveryCursor cursor) {
            recorder.giveUp(queue, letter, cursor);
        }

        @Override
        public void settled(DeadLetter letter) {
            deadLetters.settle(letter);
        }

        @Override
        public List<Notification> find(DeadLetter letter, SubscriptionFilter wants) throws StoreException {
            return feed.notifications(letter.position(), letter.last(), wants);
        }

        @Override
        public LogPosition end() {
            return feed.end();
        }

        @Override
        public DigestSchedule schedule(Subscription subscription) {
            return Notifier.this.schedule(subscription);
        }

        @Override
        public void later(DeliveryQueue queue) {
            thread.in(BETWEEN_SAVES, queue::sendNext);
        }

        @Override
        public void hasRoom(DeliveryQueue queue) {
            if (queue.position().isBefore(feed.end())) {
                feed.wake();
            }
        }

        @Override
        public int maxAttempts() {
            return settings.maxAttempts();
        }

        @Override
        public Instant now() {
            return clock.now().wall();
        }
    }

    // For the control API. Any thread.

    /** When a subscription is sent its notifications, and the zone of its times. */
    public DigestSchedule schedule(Subscription subscription) {
        ZoneId chosen = subscription.options().zone();
        return new DigestSchedule(
                subscription.options().digest(),
                chosen == null ? zone : chosen,
                LocalTime.parse(settings.dailyDigest()));
    }

    /** Sends one test notification. */
    public CompletableFuture<TestResult> test(Subscription subscription) {
        CompletableFuture<TestResult> result = new CompletableFuture<>();
        OutgoingMessage message = OutgoingMessage.test(
                settings.source(),
                "test-" + UUID.randomUUID(),
                clock.now().wall(),
                subscription,
                schedule(subscription).zone());
        thread.run(() -> dispatcher.sendTest(
                subscription, message, sent -> result.complete(new TestResult(sent.taken(), sent.error()))));
        return result;
    }

    /** The same on every node, except for what only the sending node knows. Reads the store: not for an event loop. */
    public Map<SubscriptionId, Status> statuses(Collection<Subscription> recipients) {
        return status.of(gateway.view(), recipients);
    }

    /** Dead letters, oldest first. Reads the store: not for an event loop. */
    public List<DeadLetter> deadLetters(SubscriptionId id) throws StoreException {
        return deadLetters.stored(id);
    }

    public WebhookTargetPolicy targets() {
        return targets;
    }

    public NotificationSettings settings() {
        return settings;
    }

    public LogFeed feed() {
        return feed;
    }

    public long delivered(Channel channel) {
        return dispatcher.delivered(channel);
    }

    public long failures(Channel channel) {
        return dispatcher.failures(channel);
    }

    public long deadLettered(Channel channel) {
        return recorder.deadLettered(channel);
    }

    /** For how long the oldest notification that is due has waited, in seconds of service time. */
    public double lag(Channel channel) {
        Instant now = clock.now().wall();
        return queues.values().stream()
                .filter(queue -> queue.recipient().id().channel() == channel)
                .map(queue -> queue.status().oldest())
                .filter(oldest -> oldest != null)
                .mapToDouble(oldest -> Math.max(0, Duration.between(oldest, now).toMillis() / 1000.0))
                .max()
                .orElse(0);
    }

    /** Saves the cursors and ends running deliveries. The engine must still accept commands. */
    @Override
    public void close() {
        try {
            if (gateway != null) {
                CompletableFuture<CompletableFuture<?>> last = new CompletableFuture<>();
                thread.run(() -> {
                    dispatcher.stop();
                    last.complete(recorder.saveLast(queues.values()));
                });
                last.get(LAST_SAVE.toSeconds(), TimeUnit.SECONDS).get(LAST_SAVE.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException unsaved) {
            // Some notifications are sent again after the next start.
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        thread.close(LAST_SAVE);
        dispatcher.close();
    }
}
