package io.forewarn.server.clock;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Detects stalls: no event loop ran for a while, because the process was suspended or collected garbage, so that no
 * machine could read anything. A slow store is not a stall. Thread-safe.
 */
public final class StallWatch {
    static final Duration STALL = Duration.ofSeconds(5);

    private final LongSupplier elapsedNanos;
    private long last;
    private long missed;

    public StallWatch(LongSupplier elapsedNanos) {
        this.elapsedNanos = elapsedNanos;
        this.last = elapsedNanos.getAsLong();
    }

    /** Called by an event loop. */
    public synchronized void tick() {
        look();
    }

    /** The duration of stalls not reported yet, including a current one. */
    public synchronized Optional<Duration> take() {
        long before = last;
        look();
        if (missed == 0) {
            // Only an event loop may update it.
            last = before;
            return Optional.empty();
        }
        Duration told = Duration.ofNanos(missed);
        missed = 0;
        return Optional.of(told);
    }

    private void look() {
        long now = elapsedNanos.getAsLong();
        missed += now - last > STALL.toNanos() ? now - last : 0;
        last = now;
    }
}
