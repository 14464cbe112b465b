package io.forewarn.server.metadata;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What one machine has used of what it may use: requests in the last second, requests held.
 *
 * <p>There is a place for each request a second may hold. A request takes any place that nobody took within the last second,
 * by one compare-and-set; if there is none it is refused. So no second ever holds more, nobody is refused too early, refused requests
 * do not count (contract §4), and no lock is needed however many event loops a machine asks over. A machine that asks once a
 * second finds its first place free.
 */
final class RateLimiter {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLongArray taken;
    private final AtomicInteger held = new AtomicInteger();

    /** @param nanos now: until the first request every place is free */
    RateLimiter(int requestsPerSecond, long nanos) {
        long[] free = new long[requestsPerSecond];
        Arrays.fill(free, nanos - SECOND);
        taken = new AtomicLongArray(free);
    }

    boolean admit(long nanos) {
        for (int place = 0; place < taken.length(); place++) {
            long before = taken.get(place);
            if (nanos - before >= SECOND && taken.compareAndSet(place, before, nanos)) {
                return true;
            }
        }
        return false;
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
