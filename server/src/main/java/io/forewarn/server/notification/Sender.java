package io.forewarn.server.notification;

import io.forewarn.core.notification.Subscription;
import java.util.function.Consumer;

/** Sends one notification to one recipient, once. */
interface Sender extends AutoCloseable {
    /**
     * @param attempt how often it was tried before
     * @param done called once, on any thread
     */
    void send(Subscription subscription, OutgoingMessage message, int attempt, Consumer<DeliveryResult> done);

    @Override
    void close();
}
