package io.forewarn.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;

/**
 * Reports each connection to a TLS listener when it is accepted. Vert.x reports it only after the handshake, so that
 * connections that never begin one would not be counted. Everything else goes to Vert.x's own transport.
 */
public final class AcceptHook implements Transport {
    private final Transport transport;
    private volatile Predicate<Channel> admits = accepted -> true;

    public AcceptHook(Transport transport) {
        this.transport = transport;
    }

    /** @param admits called on the accepting thread, before the connection has an event loop; false closes it */
    public void onAccept(Predicate<Channel> admits) {
        this.admits = admits;
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        transport.configure(options, domainSocket, bootstrap);
        if (options.isSsl()) {
            bootstrap.handler(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object accepted) {
                    if (accepted instanceof Channel child && !admits.test(child)) {
                        child.unsafe().closeForcibly();
                    } else {
                        context.fireChannelRead(accepted);
                    }
                }
            });
        }
    }

    @Override
    public boolean supportsDomainSockets() {
        return transport.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
        return transport.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
        return transport.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
        return transport.unavailabilityCause();
    }

    @Override
    public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
        return transport.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
        return transport.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return transport.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ioRatio) {
        return transport.eventLoopGroup(type, threads, factory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return transport.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // As the interface has it.
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return transport.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return transport.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return transport.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
        transport.configure(channel, options);
    }

    @Override
    public void configure(
            ClientOptionsBase options,
            int connectTimeout,
            boolean domainSocket,
            io.netty.bootstrap.Bootstrap bootstrap) {
        transport.configure(options, connectTimeout, domainSocket, bootstrap);
    }
}
