package io.forewarn.server.control;

import io.forewarn.core.engine.Engine.Once;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Remembers, for requests that are repeated under their idempotency key, what an answer needs and the store must not hold: secrets, above all.
 * In this process only, for an hour, and a bounded number. Any thread.
 */
final class RequestMemory {
    private static final int MOST = 1000;
    private static final long KEPT_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final Vertx vertx;
    private final Map<Once, Object> kept = new LinkedHashMap<>();

    RequestMemory(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * What was kept under the key, else something new, which is kept from now on.
     *
     * @param once null for a request without a key, of which nothing is kept
     */
    <T> T keep(Once once, Class<T> type, Supplier<T> fresh) {
        if (once == null) {
            return fresh.get();
        }
        synchronized (this) {
            Object known = kept.get(once);
            if (known != null) {
                return type.cast(known);
            }
            T made = fresh.get();
            kept.put(once, made);
            if (kept.size() > MOST) {
                kept.remove(kept.keySet().iterator().next());
            }
            vertx.setTimer(KEPT_MILLIS, timer -> forget(once, made));
            return made;
        }
    }

    /** Nothing came of it. */
    synchronized void forget(Once once, Object made) {
        if (once != null && kept.get(once) == made) {
            kept.remove(once);
        }
    }
}
