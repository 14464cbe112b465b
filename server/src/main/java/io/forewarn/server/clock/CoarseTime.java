package io.forewarn.server.clock;

import io.forewarn.core.engine.Clock;
import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/** Caches service time in milliseconds for frequent readers. */
final class CoarseTime implements LongSupplier {
    private static final long EVERY_MILLIS = 50;

    private volatile long millis;

    CoarseTime(Clock clock, Vertx vertx) {
        millis = clock.now().wall().toEpochMilli();
        vertx.setPeriodic(EVERY_MILLIS, timer -> millis = clock.now().wall().toEpochMilli());
    }

    @Override
    public long getAsLong() {
        return millis;
    }
}
