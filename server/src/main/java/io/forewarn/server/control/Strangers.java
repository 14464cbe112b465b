package io.forewarn.server.control;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Connections on which nobody has shown a token yet. They are not kept for long, whatever they send or do not send. */
final class Strangers {
    private static final long PATIENCE_MILLIS = 30_000;

    private final Vertx vertx;
    private final Map<HttpConnection, Long> timers = new ConcurrentHashMap<>();

    Strangers(Vertx vertx) {
        this.vertx = vertx;
    }

    void connected(HttpConnection connection) {
        timers.put(connection, vertx.setTimer(PATIENCE_MILLIS, timer -> {
            timers.remove(connection);
            connection.close();
        }));
        connection.closeHandler(closed -> admitted(connection));
    }

    void admitted(HttpConnection connection) {
        Long timer = timers.remove(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }
}
