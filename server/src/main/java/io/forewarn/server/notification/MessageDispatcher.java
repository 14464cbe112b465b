package io.forewarn.server.notification;

import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends messages through the senders of their channels, with a limit on how many are sent at once. A receiver that takes
 * longer than a second no longer counts towards the limit. For the notification thread.
 */
final class MessageDispatcher {
    private static final int AT_ONCE = 64;
    private static final Duration YOUNG = Duration.ofSeconds(1);

    private final NotificationSettings settings;
    private final WebhookTargetPolicy targets;
    private final Supplier<Instant> wall;
    private final NotificationThread thread;
    private final Map<Channel, Sender> senders = new EnumMap<>(Channel.class);
    private final ChannelCounter delivered = new ChannelCounter();
    private final ChannelCounter failures = new ChannelCounter();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int young;
    private boolean stopped;

    /** @param wall the machine's own time, which receivers compare with theirs */
    MessageDispatcher(
            NotificationSettings settings,
            WebhookTargetPolicy targets,
            Supplier<Instant> wall,
            NotificationThread thread) {
        this.settings = settings;
        this.targets = targets;
        this.wall = wall;
        this.thread = thread;
    }

    /** Sends a queue's message when there is room, and passes the result to the queue. */
    void send(DeliveryQueue queue, OutgoingMessage message, int attempt) {
        waiting.add(() -> begin(queue, message, attempt));
        drain();
    }

    private void drain() {
        while (young < AT_ONCE && !waiting.isEmpty() && !stopped) {
            waiting.poll().run();
        }
    }

    private void begin(DeliveryQueue queue, OutgoingMessage message, int attempt) {
        Channel channel = queue.recipient().id().channel();
        young++;
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
        thread.in(YOUNG, once);
        sender(channel)
                .send(
                        queue.recipient(),
                        message,
                        attempt,
                        result -> thread.run(() -> {
                            (result.taken() ? delivered : failures).increment(channel);
                            once.run();
                            queue.tried(result);
                        }));
    }

    /** Sends a message at once, without counting it. */
    void sendTest(Subscription to, OutgoingMessage message, Consumer<DeliveryResult> result) {
        sender(to.id().channel()).send(to, message, 0, result);
    }

    private Sender sender(Channel channel) {
        return senders.computeIfAbsent(channel, kind -> switch (kind) {
            case WEBHOOK -> new WebhookSender(targets, settings.timeout(), wall);
            case MAIL -> new SmtpSender(settings.smtp(), settings.timeout(), wall);
        });
    }

    /** Any thread. */
    long delivered(Channel channel) {
        return delivered.of(channel);
    }

    /** Any thread. */
    long failures(Channel channel) {
        return failures.of(channel);
    }

    /** Starts no more deliveries. */
    void stop() {
        stopped = true;
    }

    /** Ends running deliveries. Must be called after the notification thread has ended. */
    void close() {
        senders.values().forEach(Sender::close);
    }
}
