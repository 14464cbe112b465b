package io.forewarn.server.control;

import io.forewarn.core.engine.Engine.Once;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Keeps, for requests repeated with their idempotency key, the parts of responses that must not be stored, above all secrets.
 * In this process only, for an hour, and a bounded number. Thread-safe.
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
     * Returns what was kept for the key, or creates and keeps a new value.
     *
     * @param once null for a request without a key, for which nothing is kept
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

    /** Removes the value of a request that failed. */
    synchronized void forget(Once once, Object made) {
        if (once != null && kept.get(once) == made) {
            kept.remove(once);
        }
    }
}
