package io.forewarn.server.metadata;

import io.forewarn.server.http.ConnectionQuota;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Watches one connection from below HTTP: bytes coming in, answers going out. A request that is being answered may take as
 * long as it likes; a client that does not send, or does not take, may not.
 */
final class SlowClientGuard extends ChannelDuplexHandler implements ConnectionQuota.Connection {
    private enum State {
        /** Nothing under way. */
        IDLE,
        /** Bytes of a request came, not all of it. */
        RECEIVING,
        /** Ours to answer. */
        ANSWERING
    }

    private final ConnectionSweeper connectionSweeper;
    private volatile ChannelHandlerContext channel;
    private volatile State state = State.IDLE;
    private volatile long since;
    private boolean stalled;
    private BooleanSupplier lastWord = () -> false;
    private long stalledSince;

    /** @param channel closes it without waiting for what the client does not take */
    SlowClientGuard(ConnectionSweeper connectionSweeper, ChannelHandlerContext channel) {
        this.connectionSweeper = connectionSweeper;
        this.channel = channel;
        since = connectionSweeper.now();
    }

    /** @param lastWord says what there is to say to a client whose body is no HTTP, and closes; false if there is nothing */
    void onBrokenBody(BooleanSupplier lastWord) {
        this.lastWord = lastWord;
    }

    /** A request, or its head, has arrived and is worked on. */
    void answering() {
        state = State.ANSWERING;
    }

    /** The head is there, its body is not. */
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
        channel = context;
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

    /** What is wrong below HTTP, such as a reset, is Vert.x's to handle. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        boolean body = state == State.RECEIVING && !(cause instanceof IOException);
        if (!body || !lastWord.getAsBoolean()) {
            super.exceptionCaught(context, cause);
        }
    }

    /** A client that does not take its answers is not read from either, so that they cannot pile up. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        stalled = !context.channel().isWritable();
        stalledSince = connectionSweeper.now();
        context.channel().config().setAutoRead(!stalled);
        super.channelWritabilityChanged(context);
    }

    /** Read by others than its event loop, when a place is wanted. */
    @Override
    public long idleSince() {
        return state == State.IDLE ? since : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        channel.close();
    }

    void check(long now, long patience, long idle) {
        boolean over = stalled && now - stalledSince > patience
                || state == State.RECEIVING && now - since > patience
                || state == State.IDLE && now - since > idle;
        if (over) {
            channel.close();
        }
    }
}
