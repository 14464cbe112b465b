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
 * Who may stay connected: a stranger only for a moment, whatever it sends or does not send, and as one of a limited number; the
 * bearer of a token as long as it likes.
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

        /** Not as Vert.x closes: that waits for what the client does not take. */
        @Override
        public void close() {
            unwanted = true;
            if (channel.isRegistered()) {
                channel.close();
            }
        }
    }
}
