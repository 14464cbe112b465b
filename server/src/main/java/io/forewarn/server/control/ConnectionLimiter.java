package io.forewarn.server.control;

import io.forewarn.server.http.ConnectionQuota;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.HttpServerConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who may stay connected: a stranger only for a moment, whatever it sends or does not send, and as one of a limited number; the
 * bearer of a token as long as it likes.
 */
final class ConnectionLimiter {
    private static final long PATIENCE_MILLIS = 30_000;

    private final Vertx vertx;
    private final ConnectionQuota quota;
    private final Map<HttpConnection, Visit> visits = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();

    ConnectionLimiter(Vertx vertx, ConnectionQuota quota) {
        this.vertx = vertx;
        this.quota = quota;
    }

    void connected(HttpConnection connection) {
        Visit visit = new Visit(connection, requests.incrementAndGet());
        ConnectionQuota.Slot slot = quota.admit(address(connection), null, true, visit);
        if (slot == null) {
            connection.close();
            return;
        }
        visit.slot = slot;
        visit.timer = vertx.setTimer(PATIENCE_MILLIS, timer -> connection.close());
        visits.put(connection, visit);
        channel(connection).channel().closeFuture().addListener(closed -> {
            slot.release();
            vertx.cancelTimer(visit.timer);
            visits.remove(connection);
        });
    }

    private static ChannelHandlerContext channel(HttpConnection connection) {
        return ((HttpServerConnection) connection).channelHandlerContext();
    }

    private static InetAddress address(HttpConnection connection) {
        return channel(connection).channel().remoteAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : null;
    }

    /** Something is asked: the connection is at work until this is answered. */
    void asked(HttpConnection connection, HttpServerResponse response) {
        Visit visit = visits.get(connection);
        if (visit != null) {
            visit.began = requests.incrementAndGet();
            visit.last = response;
        }
    }

    /** @param tenant whose token was shown; for all tenants, or another node of the cluster, any one name */
    void admitted(HttpConnection connection, String tenant) {
        Visit visit = visits.get(connection);
        if (visit != null && !visit.admitted) {
            visit.admitted = true;
            vertx.cancelTimer(visit.timer);
            visit.slot.known(tenant);
        }
    }

    /** One connection. Its idleness is asked for by other threads than its own. */
    private static final class Visit implements ConnectionQuota.Connection {
        private final HttpConnection connection;
        private ConnectionQuota.Slot slot;
        private long timer;
        private boolean admitted;
        private volatile long began;
        private volatile HttpServerResponse last;

        Visit(HttpConnection connection, long began) {
            this.connection = connection;
            this.began = began;
        }

        @Override
        public long idleSince() {
            HttpServerResponse response = last;
            return response == null || response.ended() || response.closed() ? began : Long.MAX_VALUE;
        }

        /** Not as Vert.x closes: that waits for what the client does not take. */
        @Override
        public void close() {
            channel(connection).close();
        }
    }
}
