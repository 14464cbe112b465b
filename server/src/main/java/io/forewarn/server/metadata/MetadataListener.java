package io.forewarn.server.metadata;

import io.forewarn.core.fleet.Addresses;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.http.StrictRequests;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Listens on one address on one event loop. Several with the same address share its connections. */
final class MetadataListener extends VerticleBase {
    /** All proxies count as one tenant in the quota, because they forward for many. No tenant can have this name. */
    private static final String PROXIES = "*proxies";

    private final EndpointContext endpoint;
    private final String host;
    private final int port;
    private final String owner;
    private volatile HttpServer server;
    private ConnectionSweeper connectionSweeper;
    private HttpServerOptions options;

    /**
     * @param port negative for a free port, the same one for all listeners with the same negative number
     * @param owner the listener as in the fleet; null for the common one
     */
    MetadataListener(EndpointContext endpoint, String host, int port, String owner) {
        this.endpoint = endpoint;
        this.host = host;
        this.port = port;
        this.owner = owner;
    }

    int port() {
        return server.actualPort();
    }

    @Override
    public Future<?> start() {
        connectionSweeper = new ConnectionSweeper(vertx, endpoint.elapsedNanos, endpoint.settings);
        options = new HttpServerOptions()
                .setMaxInitialLineLength(endpoint.settings.limits().maxRequestLineBytes())
                .setMaxHeaderSize(endpoint.settings.limits().maxHeaderBytes())
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setStrictThreadMode(true)
                .setAcceptBacklog(1024);
        server = vertx.createHttpServer(options)
                .connectionHandler(this::connected)
                .exceptionHandler(gone -> {}) // Clients may disconnect at any time.
                .requestHandler(request -> {}); // Replaced for each connection.
        return server.listen(port, host);
    }

    private void connected(HttpConnection connection) {
        HttpServerConnection raw = (HttpServerConnection) connection;
        ChannelHandlerContext channel = raw.channelHandlerContext();
        InetAddress address =
                channel.channel().remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
        String source = address == null ? "" : Addresses.canonical(address);
        SlowClientGuard guard = new SlowClientGuard(connectionSweeper, channel);
        MetadataConnection conversation = new MetadataConnection(endpoint, context, guard, owner, source);
        boolean proxy = endpoint.callerResolver.isProxy(source);
        ConnectionQuota.Slot slot =
                endpoint.quota.admit(address, proxy ? PROXIES : conversation.tenant(), !proxy, guard);
        if (slot == null) {
            channel.close();
            return;
        }
        conversation.holds(slot);
        channel.pipeline().addFirst("patience", guard);
        guard.onBrokenBody(conversation::brokenBody);
        StrictRequests.on(connection, options);
        raw.handler(conversation);
        raw.invalidRequestHandler(conversation::malformed);
        connection.exceptionHandler(gone -> {});
        channel.channel().closeFuture().addListener(closed -> {
            slot.release();
            conversation.gone();
        });
    }
}
