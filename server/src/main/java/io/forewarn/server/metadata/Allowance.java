package io.forewarn.server.metadata;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What one machine has used of what it may use: requests in the last second, requests held. */
final class Allowance {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** When each of the last admitted requests came, oldest at {@code next}. */
    private final long[] admitted;

    private int next;
    private int known;
    private final AtomicInteger held = new AtomicInteger();

    Allowance(int requestsPerSecond) {
        admitted = new long[requestsPerSecond];
    }

    /** A refused request does not count: contract §4. Contended only if one machine asks over several event loops at once. */
    synchronized boolean admit(long nanos) {
        if (known == admitted.length && nanos - admitted[next] < SECOND) {
            return false;
        }
        admitted[next] = nanos;
        next = (next + 1) % admitted.length;
        known = Math.min(known + 1, admitted.length);
        return true;
    }

    boolean hold(int limit) {
        if (held.incrementAndGet() <= limit) {
            return true;
        }
        held.decrementAndGet();
        return false;
    }

    void release() {
        held.decrementAndGet();
    }

    int held() {
        return held.get();
    }
}
