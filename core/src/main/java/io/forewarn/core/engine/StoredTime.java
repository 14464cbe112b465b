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
    /** When the store was last used, as far as it tells. */
    public static StoredTime read(Store store, RecordFormat format) throws StoreException {
        return StateLoader.time(store, format);
    }

    /** Where a manual clock stood when the store was last used. */
    public static Optional<Instant> manualClock(Store store, RecordFormat format) throws StoreException {
        return StateLoader.clock(store, format);
    }

    /** The last moment at which the service is known to have answered. */
    public Optional<Instant> alive() {
        Instant marked = mark == null ? null : mark.at();
        return Optional.ofNullable(marked == null || newest != null && newest.isAfter(marked) ? newest : marked);
    }
}
