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
 * Lets a worker write a long response no faster than its reader receives it: at most one buffer is ahead of the
 * socket. A reader that stops for half a minute, or reads too slowly overall, is disconnected; a disconnect frees the
 * worker go at once.
 */
final class StreamedResponse extends OutputStream {
    /**
     * The required speed of a reader. Only the time spent waiting for it counts, not the time to produce the response.
     *
     * @param patience milliseconds allowed for one part, and in total beyond the time for its bytes
     * @param bytesPerSecond minimum average speed
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

    /** Unblocks the worker once the connection is closed. */
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

    /** Completes the response. Not called on errors: an incomplete response must not look complete. */
    void finish() throws IOException {
        pass();
        context.runOnContext(v -> {
            if (!response.closed()) {
                response.end();
            }
        });
    }

    /** Resets the connection, so that the reader notices the incomplete response. */
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
