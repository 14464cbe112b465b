package io.forewarn.server.clock;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Notices when no event loop turned for a while, because the process was stopped or collected garbage: then nobody could read
 * anything. A store that is slow is no stall. Any thread.
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

    /** An event loop turns. */
    public synchronized void tick() {
        look();
    }

    /** For how long nothing could be read that was not told yet, also if that lasts. */
    public synchronized Optional<Duration> take() {
        long before = last;
        look();
        if (missed == 0) {
            // Only an event loop tells that one turns.
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
