package io.forewarn.server.control;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A long answer written by a worker as fast as its reader takes it, and no faster: at most one buffer is ahead of the
 * socket. Whoever stops reading for half a minute is dropped.
 */
final class StreamedAnswer extends OutputStream {
    private static final int PATIENCE_SECONDS = 30;

    private final Context context;
    private final HttpServerResponse response;
    private final byte[] buffer = new byte[32 * 1024];
    private int used;
    private volatile boolean lost;

    StreamedAnswer(Context context, HttpServerResponse response) {
        this.context = context;
        this.response = response;
    }

    @Override
    public void write(int b) throws IOException {
        if (used == buffer.length) {
            pass();
        }
        buffer[used++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (used == buffer.length) {
                pass();
            }
            int part = Math.min(length - done, buffer.length - used);
            System.arraycopy(bytes, offset + done, buffer, used, part);
            used += part;
            done += part;
        }
    }

    /** Ends the answer properly. Not called when something went wrong: a cut answer must not look whole. */
    void finish() throws IOException {
        pass();
        context.runOnContext(v -> {
            if (!response.closed()) {
                response.end();
            }
        });
    }

    /** Cuts the connection, so that the reader knows the answer is not whole. */
    void cut() {
        context.runOnContext(v -> response.reset());
    }

    private void pass() throws IOException {
        if (used == 0) {
            return;
        }
        Buffer part = Buffer.buffer(used).appendBytes(buffer, 0, used);
        used = 0;
        CountDownLatch taken = new CountDownLatch(1);
        context.runOnContext(v -> {
            if (response.closed()) {
                lost = true;
                taken.countDown();
                return;
            }
            response.write(part);
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> taken.countDown());
            } else {
                taken.countDown();
            }
        });
        try {
            if (!taken.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || lost) {
                throw new IOException("The caller stopped reading.");
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The service is ending.");
        }
    }
}
