package io.forewarn.core;

import java.time.Duration;
import java.time.Instant;

/**
 * Holds service time as wall-clock and monotonic time.
 *
 * @param wall wall-clock time; may be set
 * @param nanos elapsed time since some fixed point; only goes forward. With a manual clock both move together
 */
public record ClockReading(Instant wall, long nanos) {
    public ClockReading plus(Duration elapsed) {
        return new ClockReading(wall.plus(elapsed), nanos + elapsed.toNanos());
    }
}
