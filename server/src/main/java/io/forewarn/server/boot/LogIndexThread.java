package io.forewarn.server.boot;

import io.forewarn.core.engine.StoreException;
import io.forewarn.server.history.LogIndex;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Updates the index of the log: slice by slice while there is something to read, else once a second. It pauses after a
 * slice for as long as the slice took, so that indexing a long log after a start takes at most half a processor.
 */
final class LogIndexThread implements AutoCloseable {
    private static final long IDLE_MILLIS = 1_000;
    private static final long LONGEST_REST_MILLIS = 1_000;

    private final LogIndex index;
    private final Consumer<RuntimeException> faults;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "forewarn-log-index");

    /** @param faults receives an internal error, after which history is read without the index */
    LogIndexThread(LogIndex index, Consumer<RuntimeException> faults) {
        this.index = index;
        this.faults = faults;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed.await(slice(), TimeUnit.MILLISECONDS)) {
                // Goes on.
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            faults.accept(bug);
        }
    }

    /** How long to rest afterwards. */
    private long slice() {
        long before = System.nanoTime();
        try {
            boolean more = index.turn();
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
            return more ? Math.min(took, LONGEST_REST_MILLIS) : IDLE_MILLIS;
        } catch (StoreException unreadable) {
            return IDLE_MILLIS; // Readers of history get the error.
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }
}
