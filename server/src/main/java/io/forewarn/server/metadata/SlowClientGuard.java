package io.forewarn.server.metadata;

import io.forewarn.server.http.ConnectionQuota;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Closes the connection of a client that sends or reads too slowly. The service may take as
 * long as it needs to answer a request.
 */
final class SlowClientGuard extends ChannelDuplexHandler
        implements ConnectionQuota.Connection, ConnectionSweeper.Swept {
    private enum State {
        /** No request in progress. */
        IDLE,
        /** A request has arrived in part. */
        RECEIVING,
        /** A request is being answered. */
        ANSWERING
    }

    private final ConnectionSweeper connectionSweeper;
    private final Channel channel;
    /** Closes the channel without waiting for data that the client does not read; null until it is set up. */
    private volatile ChannelHandlerContext first;

    private volatile State state = State.IDLE;
    private volatile long since;
    private boolean stalled;
    private BooleanSupplier lastWord = () -> false;
    private long stalledSince;

    SlowClientGuard(ConnectionSweeper connectionSweeper, Channel channel) {
        this.connectionSweeper = connectionSweeper;
        this.channel = channel;
        since = connectionSweeper.now();
    }

    /** @param lastWord answers a client whose body is not valid HTTP, and closes; false if there is nothing to answer */
    void onBrokenBody(BooleanSupplier lastWord) {
        this.lastWord = lastWord;
    }

    /** A request, or its head, has arrived and is being processed. */
    void answering() {
        state = State.ANSWERING;
    }

    /** The head has arrived, its body has not. */
    void receiving() {
        state = State.RECEIVING;
        since = connectionSweeper.now();
    }

    void answered() {
        state = State.IDLE;
        since = connectionSweeper.now();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        first = context;
        connectionSweeper.add(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        connectionSweeper.remove(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        connectionSweeper.remove(this);
        super.channelInactive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (state == State.IDLE) {
            receiving();
        }
        context.fireChannelRead(message);
    }

    /** Vert.x handles failures below HTTP, such as a reset. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        boolean body = state == State.RECEIVING && !(cause instanceof IOException);
        if (!body || !lastWord.getAsBoolean()) {
            super.exceptionCaught(context, cause);
        }
    }

    /** Stops reading from a client that does not read its responses, so that they cannot pile up. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        stalled = !context.channel().isWritable();
        stalledSince = connectionSweeper.now();
        context.channel().config().setAutoRead(!stalled);
        super.channelWritabilityChanged(context);
    }

    /** Also called from other threads, when a new connection needs room. */
    @Override
    public long idleSince() {
        return state == State.IDLE ? since : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        if (first == null) {
            channel.close();
        } else {
            first.close();
        }
    }

    @Override
    public void check(long now, long patience, long idle) {
        boolean over = stalled && now - stalledSince > patience
                || state == State.RECEIVING && now - since > patience
                || state == State.IDLE && now - since > idle;
        if (over) {
            close();
        }
    }
}
