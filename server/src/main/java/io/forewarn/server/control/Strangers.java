package io.forewarn.server.control;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Who may stay connected: so many from one address, and none for long that has not shown a token, whatever it sends or does
 * not send.
 */
final class Strangers {
    private static final long PATIENCE_MILLIS = 30_000;

    private final Vertx vertx;
    private final int perSource;
    private final Semaphore room;
    private final Map<HttpConnection, Long> timers = new ConcurrentHashMap<>();
    private final Map<String, Integer> bySource = new ConcurrentHashMap<>();

    /**
     * @param perSource 0 for no limit
     * @param room a permit for each connection there may be
     */
    Strangers(Vertx vertx, int perSource, Semaphore room) {
        this.vertx = vertx;
        this.perSource = perSource;
        this.room = room;
    }

    void connected(HttpConnection connection) {
        String source = connection.remoteAddress().hostAddress() == null
                ? ""
                : connection.remoteAddress().hostAddress();
        int now = bySource.merge(source, 1, Integer::sum);
        boolean room = this.room.tryAcquire();
        connection.closeHandler(closed -> {
            if (room) {
                this.room.release();
            }
            bySource.computeIfPresent(source, (s, n) -> n == 1 ? null : n - 1);
            admitted(connection);
        });
        if (!room || perSource > 0 && now > perSource) {
            connection.close();
            return;
        }
        timers.put(connection, vertx.setTimer(PATIENCE_MILLIS, timer -> {
            timers.remove(connection);
            connection.close();
        }));
    }

    void admitted(HttpConnection connection) {
        Long timer = timers.remove(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }
}
