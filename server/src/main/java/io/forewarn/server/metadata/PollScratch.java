package io.forewarn.server.metadata;

import io.netty.channel.unix.Buffer;
import java.nio.ByteBuffer;

/** The memory into which one event loop reads requests and from which it writes answers, one after the other. */
final class PollScratch {
    private static final int MOST_RECEIVED = 4096;
    private static final int MOST_SENT = 1 << 16;

    private final ByteBuffer in = ByteBuffer.allocateDirect(MOST_RECEIVED);
    private final ByteBuffer out = ByteBuffer.allocateDirect(MOST_SENT);
    private final byte[] bytes = new byte[MOST_RECEIVED];
    private final PlainPoll poll;

    /** Where system calls find the buffers. */
    final long inAddress = Buffer.memoryAddress(in);

    final long outAddress = Buffer.memoryAddress(out);

    PollScratch(EndpointContext endpoint) {
        MetadataSettings.Limits limits = endpoint.settings.limits();
        int most = Math.min(limits.maxRequestLineBytes(), limits.maxHeaderBytes());
        // If the buffer is full, there may be more behind it.
        poll = new PlainPoll(Math.min(most, MOST_RECEIVED - 1), endpoint::isNamed);
    }

    int capacity() {
        return MOST_RECEIVED;
    }

    /** The first bytes that were read. */
    byte[] received(int length) {
        in.get(0, bytes, 0, length);
        return bytes;
    }

    ByteBuffer out() {
        return out;
    }

    PlainPoll poll() {
        return poll;
    }
}
