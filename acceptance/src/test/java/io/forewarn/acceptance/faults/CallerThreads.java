package io.forewarn.acceptance.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Threads that ask again and again, with pauses at random, until they are told to end. */
public final class CallerThreads {
    /** One of them. */
    public interface Caller {
        void call() throws IOException;
    }

    private final Ledger ledger;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    public CallerThreads(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * @param longestPause between two calls, in microseconds
     * @param caller ends when a call throws, as it does when its server is gone
     */
    public void begin(int number, Random random, int longestPause, Caller caller) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!over) {
                            caller.call();
                            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(longestPause)));
                        }
                    } catch (IOException gone) {
                        // The server was killed under this caller.
                    } catch (RuntimeException | Error unexpected) {
                        ledger.violated("a caller met " + unexpected);
                    }
                },
                "caller-" + number);
        threads.add(thread);
        thread.start();
    }

    /** Returns when every caller has come to the end of what it was at. */
    public void end() {
        over = true;
        for (Thread thread : threads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(60));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
