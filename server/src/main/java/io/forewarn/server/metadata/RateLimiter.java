package io.forewarn.server.metadata;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Limits the requests per second and the long polls of one machine.
 *
 * <p>There is a slot for each request allowed per second. A request takes any slot that was not taken within the last second,
 * by one compare-and-set; if there is none it is refused. So no second ever has more requests, none is refused too
 * early, refused requests do not count (contract §4), and no lock is needed however many event loops serve a machine. A
 * machine that polls once a second finds its first slot free.
 */
final class RateLimiter {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLongArray taken;
    private final AtomicInteger held = new AtomicInteger();

    /** @param nanos now; every slot is free until the first request */
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
