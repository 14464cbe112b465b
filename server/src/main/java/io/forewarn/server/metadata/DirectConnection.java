package io.forewarn.server.metadata;

import io.forewarn.core.engine.EventsDocument;
import io.forewarn.core.engine.GroupView;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.identity.IdentityRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A connection that answers plain polls right where they are read, without a channel: nearly all connections need nothing else. With any
 * other request, and with a plain poll that cannot be answered at once, it hands the socket and what it has read over to a channel with
 * the handlers of HTTP, for good. Runs on the event loop of its listener.
 */
final class DirectConnection
        implements EpollIoHandle, ConnectionQuota.Connection, ConnectionSweeper.Swept, IdentityRequest {
    private final DirectListener listener;
    private final EndpointContext endpoint;
    private final String source;
    private final PollingMachine caller;
    private FileDescriptor socket;
    /** The same socket, once its client keeps the connection; then it is not corked any more. */
    private Socket kept;

    private IoRegistration registration;
    private boolean closed;
    private volatile long since;
    /** These two are null until the connection is handed over. */
    private Channel channel;

    private volatile SlowClientGuard guard;

    DirectConnection(DirectListener listener, int socket, String source) {
        this.listener = listener;
        this.endpoint = listener.listener().endpoint();
        this.source = source;
        this.caller = new PollingMachine(endpoint, source);
        this.socket = new FileDescriptor(socket);
        since = listener.sweeper().now();
    }

    PollingMachine caller() {
        return caller;
    }

    /** Answers a request that is already there, else waits for one. */
    void begin() {
        try {
            if (endpoint.callerResolver.isProxy(source)) {
                listener.handOver(this, true);
            } else {
                receive();
            }
            if (isOpen() && registration == null) {
                listener.await(this);
            }
        } catch (RuntimeException bug) {
            end();
            listener.listener().report(bug);
        }
    }

    private boolean isOpen() {
        return !closed && channel == null;
    }

    /** @param its tells when something arrives */
    void waits(IoRegistration its) {
        registration = its;
        its.submit(EpollIoOps.EPOLLIN);
        listener.sweeper().add(this);
    }

    /** There is no room for it. */
    void refuse() {
        closed = true;
        closeSocket();
    }

    @Override
    public void handle(IoRegistration its, IoEvent event) {
        try {
            if (isOpen()) {
                receive();
            }
        } catch (RuntimeException bug) {
            end();
            listener.listener().report(bug);
        }
    }

    private void receive() {
        PollScratch scratch = listener.scratch();
        int length;
        try {
            length = kept == null
                    ? socket.readAddress(scratch.inAddress, 0, scratch.capacity())
                    : kept.recvAddress(scratch.inAddress, 0, scratch.capacity());
        } catch (IOException gone) {
            end();
            return;
        }
        if (length < 0) {
            end();
        } else if (length > 0) {
            received(scratch.received(length), length);
        }
    }

    private void received(byte[] bytes, int length) {
        PlainPoll poll = listener.scratch().poll();
        boolean answered;
        try {
            answered = poll.recognizes(bytes, length) && answer(poll);
        } catch (RuntimeException bug) {
            answered = false; // The handlers of HTTP come upon it, too, and tell the operator.
        }
        if (!answered && isOpen()) {
            handOver(Unpooled.copiedBuffer(bytes, 0, length));
        }
    }

    private void handOver(ByteBuf received) {
        listener.handOver(this, true);
        if (channel.isActive()) {
            channel.pipeline().fireChannelRead(received);
            channel.pipeline().fireChannelReadComplete();
        }
    }

    /** In the middle of an answer; after the last one nothing more is read. */
    private void handOver(ByteBuf rest, boolean last) {
        listener.handOver(this, !last);
        ChannelFuture sent = channel.pipeline().firstContext().writeAndFlush(rest);
        if (last) {
            sent.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** False if the answer takes more than this. */
    private boolean answer(PlainPoll poll) {
        if (!endpoint.ready || endpoint.age.getAsLong() > 0 || !caller.identify(this)) {
            return false;
        }
        GroupView group = caller.machine().group();
        if (endpoint.groupEnabler.needed(group, endpoint.coarseMillis.getAsLong())) {
            return false;
        }
        EventsDocument document = group.document();
        RenderedDocuments.Rendering rendering = endpoint.renderedDocuments.of(group, document, poll.version());
        String known = poll.ifNoneMatch();
        boolean unchanged = known != null && Etags.match(known, rendering.etag());
        boolean mayBeBehind = known != null && !unchanged && endpoint.follows.getAsBoolean();
        ByteBuffer out = listener.scratch().out().clear();
        if (mayBeBehind || rendering.answers().most() > out.capacity() || !caller.admitted()) {
            return false;
        }
        caller.note(poll.version(), document);
        if (unchanged) {
            rendering.answers().writeUnchanged(out, poll.closes());
        } else {
            rendering.answers().writeDocument(out, poll.closes());
        }
        send(out, poll.closes());
        endpoint.counters.count(poll.version(), unchanged ? 304 : 200);
        return true;
    }

    /** What is sent last waits in the socket and goes out together with its end: one packet instead of two. */
    private void send(ByteBuffer out, boolean last) {
        try {
            if (!last && kept == null) {
                keep();
            }
            long address = listener.scratch().outAddress;
            int length = out.position();
            int sent = kept == null ? socket.writeAddress(address, 0, length) : kept.sendAddress(address, 0, length);
            if (sent < length) {
                handOver(Unpooled.copiedBuffer(out.flip().position(sent)), last);
            } else if (last) {
                end();
            } else {
                since = listener.sweeper().now();
            }
        } catch (IOException gone) {
            end();
        }
    }

    private void keep() throws IOException {
        kept = new Socket(socket.intValue());
        socket = kept;
        kept.setIntOpt(DirectListener.IPPROTO_TCP, DirectListener.TCP_CORK, 0);
    }

    /** Leaves the socket to a channel. */
    void handedOver(Channel to, SlowClientGuard its) {
        leave();
        channel = to;
        guard = its;
    }

    int descriptor() {
        return socket.intValue();
    }

    private void leave() {
        if (registration != null) {
            registration.cancel();
            listener.sweeper().remove(this);
        }
    }

    private void end() {
        if (!isOpen()) {
            return;
        }
        closed = true;
        closeSocket(); // First: this takes it out of epoll, too.
        leave();
        caller.gone();
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException broken) {
            return; // It is closed nevertheless.
        }
    }

    /** Also called from other threads, when a new connection needs room. */
    @Override
    public long idleSince() {
        SlowClientGuard its = guard;
        return its == null ? since : its.idleSince();
    }

    /** From any thread. */
    @Override
    public void close() {
        SlowClientGuard its = guard;
        if (its != null) {
            its.close();
        } else if (listener.loop().inEventLoop()) {
            end();
        } else {
            listener.loop().execute(this::close);
        }
    }

    @Override
    public void check(long now, long patience, long idle) {
        if (now - since > idle) {
            end();
        }
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public String listener() {
        return listener.listener().owner();
    }

    @Override
    public String source() {
        return source;
    }

    /** Only proxies are known by headers, and their connections are not direct. */
    @Override
    public String header(CharSequence name) {
        return null;
    }

    @Override
    public int count(CharSequence name) {
        return 0;
    }
}
