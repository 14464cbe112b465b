package io.forewarn.core;

import java.time.Duration;
import java.time.Instant;

/**
 * Service time with its two faces.
 *
 * @param wall what people and documents call the time; may be set
 * @param nanos how much time really passed since some fixed point; only goes forward. Under a manual clock both move together
 */
public record ClockReading(Instant wall, long nanos) {
    public ClockReading plus(Duration elapsed) {
        return new ClockReading(wall.plus(elapsed), nanos + elapsed.toNanos());
    }
}
