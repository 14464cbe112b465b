package io.forewarn.server.notify;

import io.forewarn.core.notice.Recipient;
import java.util.function.Consumer;

/** Carries one notice to one recipient, once. */
interface Carrier extends AutoCloseable {
    /**
     * @param attempt how often it was tried before
     * @param done told once, on any thread
     */
    void carry(Recipient recipient, Parcel parcel, int attempt, Consumer<Fate> done);

    @Override
    void close();
}
