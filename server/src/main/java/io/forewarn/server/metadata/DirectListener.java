package io.forewarn.server.metadata;

import io.forewarn.core.fleet.Addresses;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.NativeInetAddress;
import io.netty.channel.unix.Socket;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/**
 * Accepts connections as {@link DirectConnection}s: on Linux, in place of the channel that listens. Used only by its event loop.
 */
final class DirectListener implements EpollIoHandle {
    private static final long PAUSE_MILLIS = 1000;
    static final int IPPROTO_TCP = 6;
    static final int TCP_CORK = 3;

    private final MetadataListener listener;
    private final Channel channel;
    private final Socket socket;
    private final IoEventLoop loop;
    private final PollScratch scratch;
    /** One byte with the length of the address, then the address, as the system call leaves them. */
    private final byte[] peer = new byte[25];

    private IoRegistration registration;

    private DirectListener(MetadataListener listener, Channel channel, Socket socket, IoEventLoop loop) {
        this.listener = listener;
        this.channel = channel;
        this.socket = socket;
        this.loop = loop;
        this.scratch = listener.endpoint().scratch();
    }

    static boolean isPossible(Channel listening) {
        return listening instanceof EpollServerSocketChannel
                && listening.eventLoop() instanceof IoEventLoop loop
                && loop.isIoType(EpollIoHandler.class);
    }

    /**
     * From now on the channel accepts nothing itself. Call it on the channel's event loop.
     *
     * @param channel for which this {@link #isPossible}
     */
    static Future<Void> takeOver(MetadataListener listener, Channel channel) {
        Promise<Void> done = Promise.promise();
        Socket socket = (Socket) ((EpollServerSocketChannel) channel).fd();
        DirectListener direct = new DirectListener(listener, channel, socket, (IoEventLoop) channel.eventLoop());
        channel.deregister().addListener(free -> {
            try {
                direct.accept();
                done.complete();
            } catch (IOException | RuntimeException failure) {
                done.fail(failure);
            }
        });
        return done.future();
    }

    private void accept() throws IOException {
        // Accepted sockets inherit both.
        socket.setTcpNoDelay(true);
        socket.setIntOpt(IPPROTO_TCP, TCP_CORK, 1);
        registration = loop.register(this).getNow();
        registration.submit(EpollIoOps.EPOLLIN);
        channel.closeFuture().addListener(closed -> registration.cancel());
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public void close() {
        channel.close();
    }

    /**
     * Accepts one connection; epoll reports the next one again. To ask until there is none would cost more: the kernel
     * prepares a socket before it finds that nobody waits for it.
     */
    @Override
    public void handle(IoRegistration its, IoEvent event) {
        try {
            int descriptor = socket.isOpen() ? socket.accept(peer) : -1;
            if (descriptor >= 0) {
                accepted(descriptor, NativeInetAddress.address(peer, 1, peer[0]).getAddress());
            }
        } catch (IOException full) {
            // No descriptor is left, for example. It would be reported again and again.
            registration.submit(EpollIoOps.valueOf(0));
            loop.schedule(this::resume, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void resume() {
        if (socket.isOpen()) {
            registration.submit(EpollIoOps.EPOLLIN);
        }
    }

    private void accepted(int descriptor, InetAddress address) {
        DirectConnection connection = new DirectConnection(this, descriptor, Addresses.canonical(address));
        boolean admitted = false;
        try {
            admitted = listener.admit(connection.caller(), connection, address, connection);
        } catch (RuntimeException bug) {
            listener.report(bug);
        }
        if (admitted) {
            connection.begin();
        } else {
            connection.refuse();
        }
    }

    void await(DirectConnection connection) {
        connection.waits(loop.register(connection).getNow());
    }

    /**
     * Leaves a connection to the handlers of HTTP.
     *
     * @param reads whether more requests are read from it
     */
    void handOver(DirectConnection connection, boolean reads) {
        EpollSocketChannel other = new EpollSocketChannel(connection.descriptor());
        other.config().setTcpCork(false).setAutoRead(reads).setAllocator(VertxByteBufAllocator.POOLED_ALLOCATOR);
        SlowClientGuard guard = new SlowClientGuard(sweeper(), other);
        connection.handedOver(other, guard);
        other.pipeline().addLast(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel itself) {
                listener.converse(itself, guard, connection.caller(), connection.source());
            }
        });
        loop().register(other);
        if (!other.isActive()) {
            other.close(); // Its client has gone meanwhile.
        }
    }

    MetadataListener listener() {
        return listener;
    }

    ConnectionSweeper sweeper() {
        return listener.sweeper();
    }

    EventLoop loop() {
        return loop;
    }

    PollScratch scratch() {
        return scratch;
    }
}
