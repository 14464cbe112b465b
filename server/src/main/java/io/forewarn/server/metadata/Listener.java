package io.forewarn.server.metadata;

import io.forewarn.core.fleet.Addresses;
import io.forewarn.server.http.StrictRequests;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerConnection;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One listening address on one event loop. Several with the same address share its connections. */
final class Listener extends VerticleBase {
    private final Endpoint endpoint;
    private final String host;
    private final int port;
    private final String owner;
    private final Map<String, Integer> connections;
    private volatile HttpServer server;
    private Sweep sweep;
    private HttpServerOptions options;

    /**
     * @param port negative for any, the same for all that ask for the same negative one
     * @param owner the listener as its machine names it; null for the common one
     * @param connections how many each source has, shared between the loops
     */
    Listener(Endpoint endpoint, String host, int port, String owner, ConcurrentHashMap<String, Integer> connections) {
        this.endpoint = endpoint;
        this.host = host;
        this.port = port;
        this.owner = owner;
        this.connections = connections;
    }

    int port() {
        return server.actualPort();
    }

    @Override
    public Future<?> start() {
        sweep = new Sweep(vertx, endpoint.elapsedNanos, endpoint.settings);
        options = new HttpServerOptions()
                .setMaxInitialLineLength(endpoint.settings.limits().lineBytes())
                .setMaxHeaderSize(endpoint.settings.limits().headerBytes())
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setStrictThreadMode(true)
                .setAcceptBacklog(1024);
        server = vertx.createHttpServer(options)
                .connectionHandler(this::connected)
                .exceptionHandler(gone -> {}) // Clients break off; nobody must act.
                .requestHandler(request -> {}); // Replaced for each connection.
        return server.listen(port, host);
    }

    private void connected(HttpConnection connection) {
        HttpServerConnection raw = (HttpServerConnection) connection;
        ChannelHandlerContext channel = raw.channelHandlerContext();
        String source = channel.channel().remoteAddress() instanceof InetSocketAddress remote
                ? Addresses.canonical(remote.getAddress())
                : "";
        if (!admitted(source)) {
            channel.close();
            return;
        }
        if (!endpoint.room.tryAcquire()) {
            leave(source);
            channel.close();
            return;
        }
        Patience patience = new Patience(sweep);
        channel.pipeline().addFirst("patience", patience);
        Conversation conversation = new Conversation(endpoint, context, patience, owner, source);
        patience.onBrokenBody(conversation::brokenBody);
        StrictRequests.on(connection, options);
        raw.handler(conversation);
        raw.invalidRequestHandler(conversation::malformed);
        connection.exceptionHandler(gone -> {});
        connection.closeHandler(closed -> {
            endpoint.room.release();
            leave(source);
        });
    }

    private void leave(String source) {
        connections.computeIfPresent(source, (s, n) -> n == 1 ? null : n - 1);
    }

    private boolean admitted(String source) {
        int limit = endpoint.settings.limits().connectionsPerSource();
        int now = connections.merge(source, 1, Integer::sum);
        if (limit == 0 || now <= limit || endpoint.callers.isProxy(source)) {
            return true;
        }
        leave(source);
        return false;
    }
}
