package io.forewarn.server.http;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the memory for request bodies over all connections of the process. No one holder, such
 * as a tenant, may use more than half of it, so that it cannot block others. Thread-safe.
 */
public final class BodyBudget {
    private static final long LEAST = 8L << 20;
    private static final long MOST = 256L << 20;

    private final long most;
    private final Map<String, Long> byHolder = new HashMap<>();
    private long taken;

    /** @param most bytes */
    public BodyBudget(long most) {
        this.most = most;
    }

    /** One of several equal shares of the memory for bodies, which is an eighth of the heap, within bounds. */
    public static BodyBudget ofHeap(long heapBytes, int parts) {
        return new BodyBudget(Math.max(LEAST, Math.min(MOST, heapBytes / 8)) / parts);
    }

    /** Opens an account for one body. Close it when the body is no longer needed. */
    public Account open(String holder) {
        return new Account(holder);
    }

    /** Bytes in memory now. */
    public synchronized long taken() {
        return taken;
    }

    private synchronized boolean take(String holder, long bytes) {
        long its = byHolder.getOrDefault(holder, 0L) + bytes;
        if (taken + bytes > most || its > most / 2) {
            return false;
        }
        taken += bytes;
        byHolder.put(holder, its);
        return true;
    }

    private synchronized void give(String holder, long bytes) {
        taken -= bytes;
        byHolder.computeIfPresent(holder, (name, its) -> its == bytes ? null : its - bytes);
    }

    /** Counts the memory of one body. Used only by the event loop of its connection. */
    public final class Account implements AutoCloseable {
        private final String holder;
        private long bytes;
        private boolean closed;

        private Account(String holder) {
            this.holder = holder;
        }

        /** Reserves more bytes; false if there is no room. */
        public boolean take(int more) {
            if (closed || !BodyBudget.this.take(holder, more)) {
                return false;
            }
            bytes += more;
            return true;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                if (bytes > 0) {
                    give(holder, bytes);
                }
            }
        }
    }
}
