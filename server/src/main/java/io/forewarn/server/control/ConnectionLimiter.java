package io.forewarn.server.control;

import io.forewarn.server.http.ConnectionQuota;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
 * Limits connections to the control API: one without a token is closed after a moment, whatever it sends, and their
 * number is limited; the bearer of a token may stay connected.
 */
final class ConnectionLimiter {
    private static final long PATIENCE_MILLIS = 30_000;

    private final Vertx vertx;
    private final ConnectionQuota quota;
    private final Map<HttpConnection, Visit> visits = new ConcurrentHashMap<>();
    private final Map<Channel, Visit> handshakes = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();

    ConnectionLimiter(Vertx vertx, ConnectionQuota quota) {
        this.vertx = vertx;
        this.quota = quota;
    }

    /**
     * A connection that must make a TLS handshake first; it counts as a stranger's from now on. On the accepting thread.
     *
     * @return false if there is no room for it
     */
    boolean accepted(Channel channel) {
        Visit visit = admit(channel);
        if (visit != null) {
            handshakes.put(channel, visit);
            channel.closeFuture().addListener(closed -> handshakes.remove(channel));
            channel.pipeline().addLast(visit.untilActive());
        }
        return visit != null;
    }

    void connected(HttpConnection connection) {
        Channel channel = channel(connection);
        Visit before = handshakes.remove(channel);
        Visit visit = before == null ? admit(channel) : before;
        if (visit == null) {
            connection.close();
            return;
        }
        visit.timer = vertx.setTimer(PATIENCE_MILLIS, timer -> connection.close());
        visits.put(connection, visit);
        channel.closeFuture().addListener(closed -> {
            vertx.cancelTimer(visit.timer);
            visits.remove(connection);
        });
    }

    private Visit admit(Channel channel) {
        Visit visit = new Visit(channel, requests.incrementAndGet());
        InetAddress from = channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
        ConnectionQuota.Slot slot = quota.admit(from, null, true, visit);
        if (slot == null) {
            return null;
        }
        visit.slot = slot;
        channel.closeFuture().addListener(closed -> slot.release());
        return visit;
    }

    private static Channel channel(HttpConnection connection) {
        return ((HttpServerConnection) connection).channelHandlerContext().channel();
    }

    /** Marks the connection as busy until the request is answered. */
    void asked(HttpConnection connection, HttpServerResponse response) {
        Visit visit = visits.get(connection);
        if (visit != null) {
            visit.began = requests.incrementAndGet();
            visit.last = response;
        }
    }

    /** @param tenant the token's tenant; a fixed name for all tenants and for other nodes of the cluster */
    void admitted(HttpConnection connection, String tenant) {
        Visit visit = visits.get(connection);
        if (visit != null && !visit.admitted) {
            visit.admitted = true;
            vertx.cancelTimer(visit.timer);
            visit.slot.known(tenant);
        }
    }

    /** One connection. Other threads read its idle time. */
    private static final class Visit implements ConnectionQuota.Connection {
        private final Channel channel;
        private volatile ConnectionQuota.Slot slot;
        private long timer;
        private boolean admitted;
        private volatile long began;
        private volatile boolean unwanted;
        private volatile HttpServerResponse last;

        /** Closes what lost its place before it had an event loop, as soon as it has one. */
        ChannelInboundHandlerAdapter untilActive() {
            return new ChannelInboundHandlerAdapter() {
                @Override
                public void channelActive(ChannelHandlerContext context) {
                    if (unwanted) {
                        context.close();
                        return;
                    }
                    context.fireChannelActive();
                    context.pipeline().remove(this);
                }
            };
        }

        Visit(Channel channel, long began) {
            this.channel = channel;
            this.began = began;
        }

        @Override
        public long idleSince() {
            HttpServerResponse response = last;
            return response == null || response.ended() || response.closed() ? began : Long.MAX_VALUE;
        }

        /** Closes the channel directly: Vert.x would wait for a client that does not read. */
        @Override
        public void close() {
            unwanted = true;
            if (channel.isRegistered()) {
                channel.close();
            }
        }
    }
}
