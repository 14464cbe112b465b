package io.forewarn.server.notify;

import io.forewarn.core.notification.Subscription;
import java.util.function.Consumer;

/** Carries one notice to one recipient, once. */
interface Carrier extends AutoCloseable {
    /**
     * @param attempt how often it was tried before
     * @param done told once, on any thread
     */
    void carry(Subscription subscription, Parcel parcel, int attempt, Consumer<Fate> done);

    @Override
    void close();
}
