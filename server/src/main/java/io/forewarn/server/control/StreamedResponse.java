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
 * socket. Whoever stops reading for half a minute, or reads too slowly on the whole, is dropped; whoever leaves lets the
 * worker go at once.
 */
final class StreamedResponse extends OutputStream {
    /**
     * What is expected of a reader. Only the time that it is waited for counts, not what the answer takes to be found.
     *
     * @param patience how many milliseconds it may take for one part, and in all beyond what its bytes may take
     * @param bytesPerSecond how much it must take on average
     */
    record Pace(long patience, long bytesPerSecond) {
        static final Pace USUAL = new Pace(30_000, 16 * 1024);
    }

    private static final int STEP_MILLIS = 250;

    private final Context context;
    private final HttpServerResponse response;
    private final Pace pace;
    private final byte[] buffer = new byte[32 * 1024];
    private int used;
    private long passed;
    private long waited;
    private volatile boolean lost;
    private volatile CountDownLatch taken = new CountDownLatch(0);

    StreamedResponse(Context context, HttpServerResponse response, Pace pace) {
        this.context = context;
        this.response = response;
        this.pace = pace;
        context.runOnContext(v -> {
            if (!response.closed()) {
                response.closeHandler(closed -> left());
                response.exceptionHandler(broken -> left());
            }
        });
    }

    /** Nothing drains any more once the connection is gone. */
    private void left() {
        lost = true;
        taken.countDown();
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
        passed += used;
        used = 0;
        CountDownLatch now = new CountDownLatch(1);
        taken = now;
        context.runOnContext(v -> {
            if (lost || response.closed()) {
                left();
                return;
            }
            response.write(part);
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> now.countDown());
            } else {
                now.countDown();
            }
        });
        await(now);
    }

    private void await(CountDownLatch now) throws IOException {
        try {
            long here = 0;
            while (!now.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
                here += STEP_MILLIS;
                waited += STEP_MILLIS;
                if (here >= pace.patience || waited >= pace.patience + passed * 1000 / pace.bytesPerSecond) {
                    throw new IOException("The caller reads too slowly.");
                }
            }
            if (lost) {
                throw new IOException("The caller is gone.");
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The service is ending.");
        }
    }
}
