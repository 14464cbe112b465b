package io.forewarn.core.engine;

import java.time.Instant;
import java.util.Optional;

/**
 * What a store tells about the time at which it was last used.
 *
 * @param mark the last that was written; null if there is none
 * @param newest when the newest page of the log was written; null if there is none
 */
public record StoredTime(TimeMark mark, Instant newest) {
    /** The last moment at which the service is known to have answered. */
    public Optional<Instant> alive() {
        Instant marked = mark == null ? null : mark.at();
        return Optional.ofNullable(marked == null || newest != null && newest.isAfter(marked) ? newest : marked);
    }
}
