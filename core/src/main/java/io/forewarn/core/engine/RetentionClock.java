package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import java.time.Instant;

/**
 * The time used for dropping history, which cannot be undone. It follows the wall clock, but at most twice as fast as real
 * time while the service runs: a wall clock that is wrong by a year costs hours of the log instead of all of it. Its
 * position is stored; a restart moves it neither forward nor back.
 */
final class RetentionClock {
    private static final int FASTEST = 2;

    private Instant proven;
    private long nanos;

    private RetentionClock(Instant proven, long nanos) {
        this.proven = proven;
        this.nanos = nanos;
    }

    /** Goes on where it stood; in a store that never had one, from the last that was written. */
    static RetentionClock resumed(StoredTime stored, ClockReading now) {
        Instant last = stored.mark() != null ? stored.mark().proven() : stored.newest();
        Instant wall = now.wall();
        return new RetentionClock(last == null || last.isAfter(wall) ? wall : last, now.nanos());
    }

    Instant proven(ClockReading now) {
        Instant furthest = proven.plusNanos(FASTEST * (now.nanos() - nanos));
        nanos = now.nanos();
        proven = furthest.isAfter(now.wall()) ? now.wall() : furthest;
        return proven;
    }
}
