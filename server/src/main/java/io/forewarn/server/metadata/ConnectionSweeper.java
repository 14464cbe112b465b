package io.forewarn.server.metadata;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Checks the time limits of all connections of one event loop a few times per second, instead of a timer for each. Its
 * clock moves with the sweeps; limits are extended by one sweep, so that no connection is closed too early. Used only
 * by that event loop.
 */
final class ConnectionSweeper {
    /** A connection with time limits. */
    interface Swept {
        /** Closes it if it is over a limit; all are nanoseconds. */
        void check(long now, long patience, long idle);

        void close();
    }

    private final Set<Swept> connections = new HashSet<>();
    private final LongSupplier elapsedNanos;
    private final long clientTimeout;
    private final long idle;
    private long now;

    ConnectionSweeper(Vertx vertx, LongSupplier elapsedNanos, MetadataSettings settings) {
        this.elapsedNanos = elapsedNanos;
        long every = Math.max(20, Math.min(500, settings.times().clientTimeout().toMillis() / 10));
        clientTimeout = settings.times().clientTimeout().toNanos() + TimeUnit.MILLISECONDS.toNanos(every);
        idle = settings.times().idleTimeout().toNanos() + TimeUnit.MILLISECONDS.toNanos(every);
        now = elapsedNanos.getAsLong();
        vertx.setPeriodic(every, timer -> sweep());
    }

    long now() {
        return now;
    }

    void add(Swept connection) {
        connections.add(connection);
    }

    void remove(Swept connection) {
        connections.remove(connection);
    }

    void closeAll() {
        new ArrayList<>(connections).forEach(Swept::close);
    }

    private void sweep() {
        now = elapsedNanos.getAsLong();
        new ArrayList<>(connections).forEach(c -> c.check(now, clientTimeout, idle)); // Closing removes.
    }
}
