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
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells every recipient what it wants to know, at least once and in order, from the pages of the log.
 *
 * <p>The log is the outbox: what is to be told is durable with the decision itself, and nothing more is written on the writer's
 * path. Each recipient has a {@link DeliveryQueue} and a durable {@link DeliveryCursor}, saved about once a second by a command of its own; after a
 * crash what came after the cursor is told again, under the same ids. All of this runs on one thread that waits for nobody:
 * requests are under way elsewhere and report back.
 */
public final class Notifier implements EngineListener, AutoCloseable {
    /** What became of a test. */
    public record Trial(boolean delivered, String error) {}

    /**
     * How sending to somebody stands: how many were taken, wait, and lie dead, as the store has it.
     *
     * @param waiting null if the log cannot be read at present
     * @param tries how often the next one was tried in vain; known where it is sent from
     * @param error what went wrong last; blank if nothing did, and where nothing is sent from
     */
    public record Standing(long told, Long waiting, int dead, int tries, String error) {}

    private static final Set<String> COMING_AND_GOING =
            Set.of(HistoryEntry.What.RECIPIENT_ADDED.name(), HistoryEntry.What.RECIPIENT_REMOVED.name());
    private static final Duration BETWEEN_SAVES = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(5);
    private static final int IDLE_SAVE_TICKS = 300;
    private static final int PER_COMMAND = 40;
    private static final int AT_ONCE = 64;
    private static final Duration YOUNG = Duration.ofSeconds(1);
    private static final long LAST_SAVE_SECONDS = 3;

    private final NotificationSettings settings;
    private final DeadLetters deadLetters;
    private final BacklogCounter backlogCounter;
    private final Clock clock;
    private final Supplier<Instant> wall;
    private final Consumer<RuntimeException> faults;
    private final ScheduledThreadPoolExecutor thread;
    private final LogTail tail;
    private final WebhookTargetPolicy targets;
    private final Map<SubscriptionId, DeliveryQueue> lanes = new ConcurrentHashMap<>();
    private final Map<SubscriptionId, DeliveryCursor> saved = new HashMap<>();
    /** Prefixes of letters that could not be looked through yet. */
    private final Set<String> unread = new TreeSet<>();

    private final Map<Channel, Sender> carriers = new EnumMap<>(Channel.class);
    private final Map<Channel, LongAdder> delivered = counters();
    private final Map<Channel, LongAdder> failures = counters();
    private final Map<Channel, LongAdder> buried = counters();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final DeliveryQueue.DeliveryContext context = new Outgoing();
    private CommandGateway gateway;
    private volatile boolean delivers = true;
    private int young;
    private int ticks;
    private boolean saving;
    private boolean closing;

    /**
     * @param clock service time, which history has
     * @param wall the machine's own, which receivers compare with theirs
     * @param faults is told of errors in the service itself
     */
    public Notifier(
            NotificationSettings settings,
            Store store,
            RecordFormat format,
            Clock clock,
            Supplier<Instant> wall,
            Consumer<RuntimeException> faults) {
        this.settings = settings;
        this.deadLetters = new DeadLetters(store, format);
        this.backlogCounter = new BacklogCounter(store, format);
        this.clock = clock;
        this.wall = wall;
        this.faults = faults;
        this.targets = new WebhookTargetPolicy(settings.allowedTargets());
        this.thread = new ScheduledThreadPoolExecutor(1, r -> new Thread(r, "forewarn-notifications"));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
        this.tail = new LogTail(store, format, settings.source(), this::run, this::soon);
    }

    private static Map<Channel, LongAdder> counters() {
        Map<Channel, LongAdder> counters = new EnumMap<>(Channel.class);
        for (Channel channel : Channel.values()) {
            counters.put(channel, new LongAdder());
        }
        return counters;
    }

    /** Goes on where it stopped. Before the first turn of the engine. */
    public void start(CommandGateway running) throws StoreException {
        gateway = running;
        tail.open();
        run(this::begin);
        long pause = BETWEEN_SAVES.toMillis();
        thread.scheduleWithFixedDelay(guarded(this::tick), pause, pause, TimeUnit.MILLISECONDS);
    }

    /** Of several nodes only the writer tells people, so that they are told once and in order. Any thread. */
    public void delivers(boolean yes) {
        delivers = yes;
        run(this::begin);
    }

    /** The log may hold pages up to there of which nothing was heard. Any thread. */
    public void reloaded(long head) {
        tail.reloaded(head);
    }

    /** What another node wrote down. Any thread. */
    public void heard(LogPage page) {
        committed(page, 0, 0);
    }

    private void run(Runnable step) {
        in(Duration.ZERO, step);
    }

    private void soon(Runnable step) {
        in(MOMENT, step);
    }

    private void in(Duration pause, Runnable step) {
        try {
            thread.schedule(guarded(step), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ending) {
            // What is not told now is told after the next start.
            return;
        }
    }

    /** An error of ours must not end the ticks, nor stay untold. */
    private Runnable guarded(Runnable step) {
        return () -> {
            try {
                step.run();
            } catch (RuntimeException bug) {
                faults.accept(bug);
            }
        };
    }

    // The journal

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        tail.arrived(page);
        if (page.entries().stream().anyMatch(e -> COMING_AND_GOING.contains(e.what()))) {
            run(this::reconcile);
        }
        page.entries().stream()
                .filter(e -> e.what().equals(HistoryEntry.What.LETTERS_RESENT.name()))
                .forEach(e -> run(() -> resent(e.recipient())));
    }

    @Override
    public void troubled(StoreException problem) {}

    @Override
    public void recovered() {}

    // Lanes

    /** Another node may have delivered until now, or does from now on. */
    private void begin() {
        unread.clear();
        deadLetters.forget();
        reconcile();
        if (gateway != null && delivers) {
            look(DeadLetter.PREFIX);
        }
    }

    /** Makes the lanes those of the recipients there are. */
    private void reconcile() {
        if (gateway == null) {
            return;
        }
        PublishedState published = gateway.view();
        Set<String> left = new TreeSet<>();
        for (DeliveryQueue queue : List.copyOf(lanes.values())) {
            Subscription known = published.recipient(queue.recipient().id()).orElse(null);
            if (!delivers || known == null || known.since() != queue.recipient().since()) {
                close(queue);
                left.add(DeadLetter.prefix(queue.recipient().id()));
            }
        }
        if (delivers) {
            published
                    .recipients()
                    .forEach(subscription -> lanes.computeIfAbsent(subscription.id(), id -> open(subscription)));
            left.forEach(this::look);
        }
    }

    private DeliveryQueue open(Subscription subscription) {
        DeliveryCursor cursor = cursor(gateway.view(), subscription);
        saved.put(subscription.id(), cursor);
        DeliveryQueue queue = new DeliveryQueue(subscription, cursor, context);
        tail.follow(queue);
        return queue;
    }

    private void close(DeliveryQueue queue) {
        SubscriptionId id = queue.recipient().id();
        queue.close();
        tail.leave(queue);
        lanes.remove(id);
        saved.remove(id);
    }

    /** @param to null in a page of an older release, which tells it to people only */
    private void resent(SubscriptionId to) {
        if (to == null) {
            look(DeadLetter.PREFIX);
        } else if (lanes.containsKey(to)) {
            look(DeadLetter.prefix(to));
        }
    }

    /** Tells lanes of their letters. Those of recipients that are gone are nobody's. */
    private void look(String prefix) {
        Map<SubscriptionId, Integer> counts = new HashMap<>();
        Map<SubscriptionId, List<DeadLetter>> again = new HashMap<>();
        try {
            deadLetters.each(prefix, letter -> {
                DeliveryQueue queue = lanes.get(letter.recipient());
                if (queue == null || letter.place().commit() < queue.recipient().since()) {
                    deadLetters.settle(letter);
                } else if (!queue.isBurying(letter.place())) {
                    counts.merge(letter.recipient(), 1, Integer::sum);
                    if (letter.again()) {
                        again.computeIfAbsent(letter.recipient(), id -> new ArrayList<>())
                                .add(letter);
                    }
                }
            });
        } catch (StoreException unreadable) {
            unread.add(prefix); // Until the next second.
            return;
        }
        unread.remove(prefix);
        for (DeliveryQueue queue : List.copyOf(lanes.values())) {
            SubscriptionId id = queue.recipient().id();
            if (DeadLetter.prefix(id).startsWith(prefix)) {
                queue.letters(counts.getOrDefault(id, 0), again.getOrDefault(id, List.of()));
            }
        }
    }

    // Saving how far it came

    private void tick() {
        ticks++;
        tail.wake();
        if (delivers) {
            List.copyOf(unread).forEach(this::look);
        }
        save(ticks % IDLE_SAVE_TICKS == 0);
    }

    private CompletableFuture<?> save(boolean everything) {
        if (saving) {
            return CompletableFuture.completedFuture(null);
        }
        List<DeliveryCursor> cursors = new ArrayList<>();
        for (DeliveryQueue queue : lanes.values()) {
            if (queue.isBurying()) {
                continue; // Its letter brings the cursor along.
            }
            DeliveryCursor now = queue.cursor();
            DeliveryCursor before = saved.get(now.recipient());
            boolean told = before == null || before.told() != now.told() || before.dead() != now.dead();
            if (told || everything && !now.equals(before)) {
                cursors.add(now);
            }
        }
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (int from = 0; from < cursors.size(); from += PER_COMMAND) {
            List<DeliveryCursor> some =
                    List.copyOf(cursors.subList(from, Math.min(cursors.size(), from + PER_COMMAND)));
            asked.add(gateway.submit(new Command.Posted(some, List.of(), List.of()))
                    .thenRun(() -> run(() -> some.forEach(c -> saved.replace(c.recipient(), c)))));
        }
        List<DeadLetter> gone = deadLetters.settled();
        for (int from = 0; from < gone.size(); from += PER_COMMAND) {
            List<DeadLetter> some = gone.subList(from, Math.min(gone.size(), from + PER_COMMAND));
            asked.add(gateway.submit(new Command.Posted(List.of(), List.of(), some))
                    .thenRun(() -> run(() -> deadLetters.saved(some))));
        }
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        saving = true;
        CompletableFuture<Void> all = CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]));
        // What the store did not take is offered again with the next tick.
        all.whenComplete((done, refused) -> run(() -> saving = false));
        return all;
    }

    /** What lanes ask for. */
    private final class Outgoing implements DeliveryQueue.DeliveryContext {
        @Override
        public void send(DeliveryQueue queue, OutgoingMessage message, int attempt) {
            waiting.add(() -> begin(queue, message, attempt));
            drain();
        }

        private void begin(DeliveryQueue queue, OutgoingMessage message, int attempt) {
            Channel channel = queue.recipient().id().channel();
            young++;
            // Who takes long no longer keeps others from being told.
            Runnable[] release = {
                () -> {
                    young--;
                    drain();
                }
            };
            Runnable once = () -> {
                Runnable first = release[0];
                release[0] = () -> {};
                first.run();
            };
            in(YOUNG, once);
            carrier(channel)
                    .send(
                            queue.recipient(),
                            message,
                            attempt,
                            fate -> run(() -> {
                                (fate.taken() ? delivered : failures)
                                        .get(channel)
                                        .increment();
                                once.run();
                                queue.tried(fate);
                            }));
        }

        @Override
        public void pause(DeliveryQueue queue, int tries) {
            long longest = settings.longestPause().toMillis();
            long pause = Math.min(longest, settings.firstPause().toMillis() << Math.min(tries - 1, 20));
            long jittered = pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
            in(Duration.ofMillis(Math.max(1, jittered)), queue::rested);
        }

        @Override
        public void bury(DeliveryQueue queue, DeadLetter letter, DeliveryCursor cursor) {
            if (queue.isClosed()) {
                return;
            }
            List<DeadLetter> dropped = tooMany(cursor);
            DeliveryCursor after = new DeliveryCursor(
                    cursor.recipient(), cursor.place(), cursor.told(), Math.max(0, cursor.dead() - dropped.size()));
            gateway.submit(new Command.Posted(List.of(after), List.of(letter), dropped))
                    .whenComplete((done, refused) -> {
                        if (refused == null) {
                            run(() -> {
                                buried.get(letter.recipient().channel()).increment();
                                saved.replace(after.recipient(), after);
                                queue.givenUp(dropped);
                            });
                        } else {
                            in(BETWEEN_SAVES, () -> bury(queue, letter, cursor));
                        }
                    });
        }

        /** The oldest give way. */
        private List<DeadLetter> tooMany(DeliveryCursor cursor) {
            try {
                int over = cursor.dead() - DeadLetters.MOST;
                return over <= 0 ? List.of() : deadLetters.oldest(cursor.recipient(), Math.min(over, PER_COMMAND));
            } catch (StoreException unreadable) {
                return List.of();
            }
        }

        @Override
        public void settled(DeadLetter letter) {
            deadLetters.settle(letter);
        }

        @Override
        public Optional<Notification> find(DeadLetter letter) throws StoreException {
            return tail.notification(letter.place());
        }

        @Override
        public void later(DeliveryQueue queue) {
            in(BETWEEN_SAVES, queue::go);
        }

        @Override
        public void hungry(DeliveryQueue queue) {
            if (queue.place().isBefore(tail.end())) {
                tail.wake();
            }
        }

        @Override
        public int mostTries() {
            return settings.tries();
        }

        @Override
        public Instant now() {
            return clock.now().wall();
        }
    }

    private void drain() {
        while (young < AT_ONCE && !waiting.isEmpty() && !closing) {
            waiting.poll().run();
        }
    }

    private Sender carrier(Channel channel) {
        return carriers.computeIfAbsent(channel, kind -> switch (kind) {
            case WEBHOOK -> new WebhookSender(targets, settings.timeLimit(), wall);
            case MAIL -> new SmtpSender(settings.smtp(), settings.timeLimit(), wall);
        });
    }

    // What people ask. Any thread.

    /** Sends something that says it is a test, once. */
    public CompletableFuture<Trial> test(Subscription subscription) {
        CompletableFuture<Trial> result = new CompletableFuture<>();
        OutgoingMessage message = OutgoingMessage.trial(
                settings.source(),
                "test-" + UUID.randomUUID(),
                clock.now().wall(),
                subscription.id().toString());
        run(() -> carrier(subscription.id().channel())
                .send(subscription, message, 0, fate -> result.complete(new Trial(fate.taken(), fate.error()))));
        return result;
    }

    /** The same on every node, but for what only the one knows that sends. Reads the store: not for an event loop. */
    public Map<SubscriptionId, Standing> standings(Collection<Subscription> recipients) {
        PublishedState published = gateway.view();
        Map<Subscription, DeliveryCursor> cursors = new LinkedHashMap<>();
        recipients.forEach(subscription -> cursors.put(subscription, cursor(published, subscription)));
        Map<SubscriptionId, Long> counts = waiting(published, cursors);
        Map<SubscriptionId, Standing> standings = new HashMap<>();
        cursors.forEach((subscription, cursor) -> {
            SubscriptionId id = subscription.id();
            Optional<DeliveryQueue.Standing> lane =
                    Optional.ofNullable(lanes.get(id)).map(DeliveryQueue::standing);
            int tries = lane.map(DeliveryQueue.Standing::tries).orElse(0);
            String error = lane.map(DeliveryQueue.Standing::error).orElse("");
            standings.put(id, new Standing(cursor.told(), counts.get(id), cursor.dead(), tries, error));
        });
        return standings;
    }

    /** How far it was told, as the store has it. */
    private static DeliveryCursor cursor(PublishedState published, Subscription subscription) {
        return published
                .cursor(subscription.id())
                .orElse(new DeliveryCursor(subscription.id(), LogPosition.after(subscription.since()), 0, 0));
    }

    private Map<SubscriptionId, Long> waiting(PublishedState published, Map<Subscription, DeliveryCursor> cursors) {
        Map<Subscription, LogPosition> told = new LinkedHashMap<>();
        cursors.forEach((subscription, cursor) -> told.put(subscription, cursor.place()));
        try {
            return backlogCounter.waiting(told, id -> published.recipient(id).isPresent());
        } catch (StoreException unreadable) {
            return Map.of(); // What the view has is told all the same.
        }
    }

    /** Undelivered letters, oldest first. Reads the store: not for an event loop. */
    public List<DeadLetter> letters(SubscriptionId id) throws StoreException {
        return deadLetters.stored(id);
    }

    public WebhookTargetPolicy destinations() {
        return targets;
    }

    public NotificationSettings settings() {
        return settings;
    }

    public LogTail feed() {
        return tail;
    }

    public long delivered(Channel channel) {
        return delivered.get(channel).sum();
    }

    public long failures(Channel channel) {
        return failures.get(channel).sum();
    }

    public long buried(Channel channel) {
        return buried.get(channel).sum();
    }

    /** For how long the oldest notification that is due has waited, in seconds of service time. */
    public double lag(Channel channel) {
        Instant now = clock.now().wall();
        return lanes.values().stream()
                .filter(queue -> queue.recipient().id().channel() == channel)
                .map(queue -> queue.standing().oldest())
                .filter(oldest -> oldest != null)
                .mapToDouble(oldest -> Math.max(0, Duration.between(oldest, now).toMillis() / 1000.0))
                .max()
                .orElse(0);
    }

    /** Saves how far it came and ends what is under way. The engine must still take commands. */
    @Override
    public void close() {
        try {
            if (gateway != null) {
                CompletableFuture<CompletableFuture<?>> last = new CompletableFuture<>();
                run(() -> {
                    closing = true;
                    saving = false;
                    last.complete(save(true));
                });
                last.get(LAST_SAVE_SECONDS, TimeUnit.SECONDS).get(LAST_SAVE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException unsaved) {
            // Some are told once more after the next start.
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        thread.shutdown();
        try {
            thread.awaitTermination(LAST_SAVE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        carriers.values().forEach(Sender::close);
    }
}
