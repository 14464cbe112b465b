package io.forewarn.server.clock;

import io.forewarn.core.ClockReading;
import io.forewarn.core.engine.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Implements the manual clock: stands still until it is moved, and only goes forward. Wall-clock and monotonic time move
 * together.
 */
public final class ManualTime implements Clock {
    private volatile ClockReading now;

    public ManualTime(Instant start) {
        now = at(start);
    }

    @Override
    public ClockReading now() {
        return now;
    }

    public void set(Instant to) {
        if (to.isBefore(now.wall())) {
            throw new IllegalArgumentException("the clock only goes forward");
        }
        now = at(to);
    }

    private static ClockReading at(Instant wall) {
        return new ClockReading(wall, TimeUnit.SECONDS.toNanos(wall.getEpochSecond()) + wall.getNano());
    }
}
