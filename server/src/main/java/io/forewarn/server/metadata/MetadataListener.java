package io.forewarn.server.metadata;

import io.forewarn.core.fleet.Addresses;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.http.StrictRequests;
import io.forewarn.server.identity.IdentityRequest;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.UnixChannelOption;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.http.impl.VertxHttpResponseEncoder;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.VertxHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Listens on one address on one event loop, which also accepts: most clients connect for each poll, and a connection that one thread
 * accepts for another costs both of them a wake-up. Several listeners share an address by {@code SO_REUSEPORT}. Connections that are
 * channels are Vert.x's; its server would set up a plain socket for each before it makes it one for HTTP.
 */
final class MetadataListener extends VerticleBase {
    /** All proxies count as one tenant in the quota, because they forward for many. No tenant can have this name. */
    private static final String PROXIES = "*proxies";

    private static final int BACKLOG = 1024;

    private final EndpointContext endpoint;
    private final String host;
    private final int port;
    private final String owner;
    private final boolean joins;
    private ContextInternal loop;
    private volatile Channel socket;
    private ConnectionSweeper connectionSweeper;
    private HttpServerOptions options;

    /**
     * @param port 0 for any
     * @param owner the listener as in the fleet; null for the common one
     * @param joins whether another listener already has the address, and shares it
     */
    MetadataListener(EndpointContext endpoint, String host, int port, String owner, boolean joins) {
        this.endpoint = endpoint;
        this.host = host;
        this.port = port;
        this.owner = owner;
        this.joins = joins;
    }

    int port() {
        return ((InetSocketAddress) socket.localAddress()).getPort();
    }

    @Override
    public Future<?> start() {
        loop = (ContextInternal) context;
        connectionSweeper = new ConnectionSweeper(vertx, endpoint.elapsedNanos, endpoint.settings);
        options = new HttpServerOptions()
                .setMaxInitialLineLength(endpoint.settings.limits().maxRequestLineBytes())
                .setMaxHeaderSize(endpoint.settings.limits().maxHeaderBytes())
                .setStrictThreadMode(true);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop.nettyEventLoop())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, VertxByteBufAllocator.POOLED_ALLOCATOR)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connected(channel);
                    }
                });
        if (joins) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        Promise<Void> listens = Promise.promise();
        NetServerImpl.resolveAndBind(loop, SocketAddress.inetSocketAddress(port, host), bootstrap)
                .addListener((io.netty.util.concurrent.Future<Channel> bound) -> {
                    if (bound.isSuccess()) {
                        socket = bound.getNow();
                        socket.eventLoop().execute(() -> accept(listens));
                    } else {
                        listens.fail(bound.cause());
                    }
                });
        return listens.future();
    }

    private void accept(Promise<Void> listens) {
        if (DirectListener.isPossible(socket)) {
            DirectListener.takeOver(this, socket).onComplete(listens);
        } else {
            listens.complete();
        }
    }

    /**
     * Lets others join. Only now, when the address is ours: a second service that asked for a shared one from the beginning would get it
     * and take half of the connections.
     *
     * @return false if this system cannot share an address
     */
    boolean share() {
        return socket.config().setOption(UnixChannelOption.SO_REUSEPORT, true);
    }

    @Override
    public Future<?> stop() {
        Promise<Void> closed = Promise.promise();
        socket.close().addListener(done -> closed.complete());
        connectionSweeper.closeAll();
        return closed.future();
    }

    EndpointContext endpoint() {
        return endpoint;
    }

    ConnectionSweeper sweeper() {
        return connectionSweeper;
    }

    /** The listener as in the fleet; null for the common one. */
    String owner() {
        return owner;
    }

    /** Tells the operator. */
    void report(RuntimeException bug) {
        loop.reportException(bug);
    }

    /** A connection that is a channel from the beginning. */
    private void connected(Channel channel) {
        InetAddress address = channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
        String source = address == null ? "" : Addresses.canonical(address);
        SlowClientGuard guard = new SlowClientGuard(connectionSweeper, channel);
        PollingMachine caller = new PollingMachine(endpoint, source);
        MetadataConnection conversation = new MetadataConnection(endpoint, context, guard, caller, owner, source);
        if (admit(caller, conversation, address, guard)) {
            converse(channel, guard, caller, conversation);
        } else {
            channel.close();
        }
    }

    /** Whether there is room for a connection. */
    boolean admit(
            PollingMachine caller,
            IdentityRequest connection,
            InetAddress address,
            ConnectionQuota.Connection managed) {
        boolean proxy = endpoint.callerResolver.isProxy(connection.source());
        ConnectionQuota.Slot slot =
                endpoint.quota.admit(address, proxy ? PROXIES : caller.tenant(connection), !proxy, managed);
        caller.holds(slot);
        return slot != null;
    }

    /** Puts the handlers of HTTP into the pipeline of an admitted connection. */
    void converse(Channel channel, SlowClientGuard guard, PollingMachine caller, String source) {
        converse(channel, guard, caller, new MetadataConnection(endpoint, context, guard, caller, owner, source));
    }

    private void converse(
            Channel channel, SlowClientGuard guard, PollingMachine caller, MetadataConnection conversation) {
        guard.onBrokenBody(conversation::brokenBody);
        VertxHandler<Http1xServerConnection> handler = VertxHandler.create(raw -> new Http1xServerConnection(
                ThreadingModel.EVENT_LOOP, () -> loop, null, options, raw, loop, "http://" + host, null));
        channel.pipeline()
                .addLast(guard)
                .addLast(StrictRequests.decoder(options))
                .addLast(new VertxHttpResponseEncoder())
                .addLast(handler);
        handler.getConnection()
                .handler(conversation)
                .invalidRequestHandler(conversation::malformed)
                .exceptionHandler(gone -> {}); // Clients may disconnect at any time.
        channel.closeFuture().addListener(closed -> {
            caller.gone();
            conversation.gone();
        });
    }
}
