package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import java.time.Instant;

/**
 * Tells what time it is for the purpose of dropping history, which cannot be undone. It follows the wall, but never goes more
 * than twice as fast as time really passes while the service runs: so a wall that is wrong by a year costs hours of the log and not
 * all of it, whoever believed it. Where it stands is stored; a restart neither moves it on nor sets it back.
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
