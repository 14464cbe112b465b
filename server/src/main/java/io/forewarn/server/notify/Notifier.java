package io.forewarn.server.notify;

import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.Desk;
import io.forewarn.core.engine.Format;
import io.forewarn.core.engine.Journal;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.View;
import io.forewarn.core.notice.Channel;
import io.forewarn.core.notice.Cursor;
import io.forewarn.core.notice.Letter;
import io.forewarn.core.notice.Place;
import io.forewarn.core.notice.Recipient;
import io.forewarn.core.notice.RecipientId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import java.util.function.Supplier;

/**
 * Tells every recipient what it wants to know, at least once and in order, from the pages of the log.
 *
 * <p>The log is the outbox: what is to be told is durable with the decision itself, and nothing more is written on the writer's
 * path. Each recipient has a {@link Lane} and a durable {@link Cursor}, saved about once a second by a command of its own; after a
 * crash what came after the cursor is told again, under the same ids. All of this runs on one thread that waits for nobody:
 * requests are under way elsewhere and report back.
 */
public final class Notifier implements Journal, AutoCloseable {
    /** What became of a test. */
    public record Trial(boolean delivered, String error) {}

    /** How sending to somebody stands: how many were taken, wait, and lie dead, and what went wrong last; blank if nothing did. */
    public record Standing(long told, int waiting, int dead, int tries, String error) {}

    /** How many letters are kept of one recipient. */
    public static final int LETTERS = 1000;

    private static final Set<String> ABOUT_RECIPIENTS = Set.of(
            Entry.What.RECIPIENT_ADDED.name(), Entry.What.RECIPIENT_REMOVED.name(), Entry.What.LETTERS_RESENT.name());
    private static final Duration BETWEEN_SAVES = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(5);
    private static final int IDLE_SAVE_TICKS = 300;
    private static final int PER_COMMAND = 40;
    private static final int AT_ONCE = 64;
    private static final Duration YOUNG = Duration.ofSeconds(1);
    private static final long LAST_SAVE_SECONDS = 3;

    private final NotifySettings settings;
    private final Store store;
    private final Format format;
    private final Clock clock;
    private final Supplier<Instant> wall;
    private final ScheduledThreadPoolExecutor thread;
    private final Feed feed;
    private final Destinations destinations;
    private final Map<RecipientId, Lane> lanes = new ConcurrentHashMap<>();
    private final Map<RecipientId, Cursor> saved = new HashMap<>();
    private final List<Letter> settled = new ArrayList<>();
    private final Map<Channel, Carrier> carriers = new EnumMap<>(Channel.class);
    private final Map<Channel, LongAdder> delivered = counters();
    private final Map<Channel, LongAdder> failures = counters();
    private final Map<Channel, LongAdder> buried = counters();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Lane.Office office = new Outgoing();
    private Desk engine;
    private volatile boolean delivers = true;
    private int young;
    private int ticks;
    private boolean saving;
    private boolean closing;

    /**
     * @param clock service time, which history has
     * @param wall the machine's own, which receivers compare with theirs
     */
    public Notifier(NotifySettings settings, Store store, Format format, Clock clock, Supplier<Instant> wall) {
        this.settings = settings;
        this.store = store;
        this.format = format;
        this.clock = clock;
        this.wall = wall;
        this.destinations = new Destinations(settings.allowedTargets());
        this.thread = new ScheduledThreadPoolExecutor(1, r -> new Thread(r, "forewarn-notices"));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
        this.feed = new Feed(store, format, settings.source(), this::run, this::soon);
    }

    private static Map<Channel, LongAdder> counters() {
        Map<Channel, LongAdder> counters = new EnumMap<>(Channel.class);
        for (Channel channel : Channel.values()) {
            counters.put(channel, new LongAdder());
        }
        return counters;
    }

    /** Goes on where it stopped. Before the first turn of the engine. */
    public void start(Desk running) throws StoreException {
        engine = running;
        feed.open();
        run(this::reconcile);
        run(this::sweep);
        thread.scheduleWithFixedDelay(
                this::tick, BETWEEN_SAVES.toMillis(), BETWEEN_SAVES.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Of several nodes only the writer tells people, so that they are told once and in order. Any thread. */
    public void delivers(boolean yes) {
        delivers = yes;
        run(this::reconcile);
    }

    /** What another node wrote down. Any thread. */
    public void heard(LogPage page) {
        committed(page, 0, 0);
    }

    private void run(Runnable step) {
        try {
            thread.execute(step);
        } catch (RejectedExecutionException ending) {
            // What is not told now is told after the next start.
            return;
        }
    }

    private void soon(Runnable step) {
        try {
            thread.schedule(step, MOMENT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ending) {
            return; // As above.
        }
    }

    // The journal

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        feed.arrived(page);
        if (page.entries().stream().anyMatch(e -> ABOUT_RECIPIENTS.contains(e.what()))) {
            run(this::reconcile);
        }
    }

    @Override
    public void troubled(StoreException problem) {}

    @Override
    public void recovered() {}

    // Lanes

    /** Makes the lanes those of the recipients there are. */
    private void reconcile() {
        if (engine == null) {
            return;
        }
        View view = engine.view();
        for (Lane lane : List.copyOf(lanes.values())) {
            Recipient known = view.recipient(lane.recipient().id()).orElse(null);
            if (!delivers || known == null || known.since() != lane.recipient().since()) {
                close(lane);
            }
        }
        for (Recipient recipient : delivers ? view.recipients() : List.<Recipient>of()) {
            lanes.computeIfAbsent(recipient.id(), id -> open(recipient));
            if (view.cursor(recipient.id()).map(Cursor::dead).orElse(0) > 0) {
                again(lanes.get(recipient.id()));
            }
        }
    }

    private Lane open(Recipient recipient) {
        Cursor cursor = engine.view()
                .cursor(recipient.id())
                .orElse(new Cursor(recipient.id(), Place.after(recipient.since()), 0, 0));
        saved.put(recipient.id(), cursor);
        Lane lane = new Lane(recipient, cursor, office);
        feed.follow(lane);
        return lane;
    }

    private void close(Lane lane) {
        RecipientId id = lane.recipient().id();
        lane.close();
        feed.leave(lane);
        lanes.remove(id);
        saved.remove(id);
        sweep();
    }

    /** Letters of recipients that are gone are nobody's. */
    private void sweep() {
        if (!delivers) {
            return;
        }
        try {
            List<Letter> orphans = new ArrayList<>();
            for (Letter letter : scan(Letter.PREFIX, Integer.MAX_VALUE)) {
                boolean owned = engine.view()
                        .recipient(letter.recipient())
                        .filter(r -> letter.place().commit() >= r.since())
                        .isPresent();
                if (!owned) {
                    orphans.add(letter);
                }
            }
            settled.addAll(orphans);
        } catch (StoreException unreadable) {
            return; // They harm nobody until the next start.
        }
    }

    private void again(Lane lane) {
        try {
            lane.again(letters(lane.recipient().id()).stream()
                    .filter(Letter::again)
                    .toList());
        } catch (StoreException unreadable) {
            return; // After a start they are looked for again.
        }
    }

    // Saving how far it came

    private void tick() {
        ticks++;
        feed.wake();
        save(ticks % IDLE_SAVE_TICKS == 0);
    }

    private CompletableFuture<?> save(boolean everything) {
        if (saving) {
            return CompletableFuture.completedFuture(null);
        }
        List<Cursor> cursors = new ArrayList<>();
        for (Lane lane : lanes.values()) {
            Cursor now = lane.cursor();
            Cursor before = saved.get(now.recipient());
            boolean told = before == null || before.told() != now.told() || before.dead() != now.dead();
            if (told || everything && !now.equals(before)) {
                cursors.add(now);
            }
        }
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (int from = 0; from < cursors.size(); from += PER_COMMAND) {
            List<Cursor> some = List.copyOf(cursors.subList(from, Math.min(cursors.size(), from + PER_COMMAND)));
            asked.add(engine.submit(new Command.Posted(some, List.of(), List.of()))
                    .thenRun(() -> run(() -> some.forEach(c -> saved.replace(c.recipient(), c)))));
        }
        List<Letter> gone = List.copyOf(settled);
        for (int from = 0; from < gone.size(); from += PER_COMMAND) {
            List<Letter> some = gone.subList(from, Math.min(gone.size(), from + PER_COMMAND));
            asked.add(engine.submit(new Command.Posted(List.of(), List.of(), some))
                    .thenRun(() -> run(() -> settled.removeAll(some))));
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
    private final class Outgoing implements Lane.Office {
        @Override
        public void send(Lane lane, Parcel parcel, int attempt) {
            waiting.add(() -> begin(lane, parcel, attempt));
            drain();
        }

        private void begin(Lane lane, Parcel parcel, int attempt) {
            Channel channel = lane.recipient().id().channel();
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
            thread.schedule(once, YOUNG.toMillis(), TimeUnit.MILLISECONDS);
            carrier(channel)
                    .carry(
                            lane.recipient(),
                            parcel,
                            attempt,
                            why -> run(() -> {
                                (why == null ? delivered : failures)
                                        .get(channel)
                                        .increment();
                                once.run();
                                lane.tried(why);
                            }));
        }

        @Override
        public void pause(Lane lane, int tries) {
            long longest = settings.longestPause().toMillis();
            long pause = Math.min(longest, settings.firstPause().toMillis() << Math.min(tries - 1, 20));
            long jittered = pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
            thread.schedule(lane::rested, Math.max(1, jittered), TimeUnit.MILLISECONDS);
        }

        @Override
        public void bury(Lane lane, Letter letter, Cursor cursor) {
            engine.submit(new Command.Posted(List.of(cursor), List.of(letter), tooMany(cursor)))
                    .whenComplete((done, refused) -> run(() -> {
                        if (refused == null) {
                            buried.get(letter.recipient().channel()).increment();
                            saved.replace(cursor.recipient(), cursor);
                            lane.buried();
                        } else {
                            thread.schedule(
                                    () -> bury(lane, letter, cursor), BETWEEN_SAVES.toMillis(), TimeUnit.MILLISECONDS);
                        }
                    }));
        }

        /** The oldest give way. */
        private List<Letter> tooMany(Cursor cursor) {
            try {
                return cursor.dead() <= LETTERS ? List.of() : scan(Letter.prefix(cursor.recipient()), 1);
            } catch (StoreException unreadable) {
                return List.of();
            }
        }

        @Override
        public void settled(Letter letter) {
            settled.add(letter);
        }

        @Override
        public Notice find(Letter letter) {
            try {
                return feed.notice(letter.place()).orElse(null);
            } catch (StoreException unreadable) {
                return null;
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

    private Carrier carrier(Channel channel) {
        return carriers.computeIfAbsent(channel, kind -> switch (kind) {
            case WEBHOOK -> new WebhookCarrier(destinations, settings.timeLimit(), wall);
            case MAIL -> new MailCarrier(settings.smtp(), settings.timeLimit(), wall);
        });
    }

    // What people ask. Any thread.

    /** Sends something that says it is a test, once. */
    public CompletableFuture<Trial> test(Recipient recipient) {
        CompletableFuture<Trial> result = new CompletableFuture<>();
        Parcel parcel = Parcel.trial(
                settings.source(),
                "test-" + UUID.randomUUID(),
                clock.now().wall(),
                recipient.id().toString());
        run(() -> carrier(recipient.id().channel())
                .carry(recipient, parcel, 0, why -> result.complete(new Trial(why == null, why))));
        return result;
    }

    public Optional<Standing> standing(RecipientId id) {
        return Optional.ofNullable(lanes.get(id))
                .map(Lane::standing)
                .map(s -> new Standing(s.told(), s.waiting(), s.dead(), s.tries(), s.error() == null ? "" : s.error()));
    }

    /** Undelivered letters, oldest first. Reads the store: not for an event loop. */
    public List<Letter> letters(RecipientId id) throws StoreException {
        return scan(Letter.prefix(id), 2 * LETTERS);
    }

    private List<Letter> scan(String prefix, int limit) throws StoreException {
        Map<String, byte[]> rows = new LinkedHashMap<>();
        store.scan(prefix, "", limit, rows::put);
        List<Letter> letters = new ArrayList<>();
        for (Map.Entry<String, byte[]> row : rows.entrySet()) {
            letters.add((Letter) format.read(row.getKey(), row.getValue()));
        }
        return letters;
    }

    public Destinations destinations() {
        return destinations;
    }

    public NotifySettings settings() {
        return settings;
    }

    public Feed feed() {
        return feed;
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

    /** For how long the oldest notice that is due has waited, in seconds of service time. */
    public double lag(Channel channel) {
        Instant now = clock.now().wall();
        return lanes.values().stream()
                .filter(lane -> lane.recipient().id().channel() == channel)
                .map(lane -> lane.standing().oldest())
                .filter(oldest -> oldest != null)
                .mapToDouble(oldest -> Math.max(0, Duration.between(oldest, now).toMillis() / 1000.0))
                .max()
                .orElse(0);
    }

    /** Saves how far it came and ends what is under way. The engine must still take commands. */
    @Override
    public void close() {
        try {
            if (engine != null) {
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
        carriers.values().forEach(Carrier::close);
    }
}
