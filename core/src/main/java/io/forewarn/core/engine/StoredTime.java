package io.forewarn.core.engine;

import java.time.Instant;
import java.util.Optional;

/**
 * When a store was last used, as far as its records show.
 *
 * @param mark the last mark that was written; null if there is none
 * @param newest when the newest page of the log was written; null if there is none, or if the mark is later than the page
 */
public record StoredTime(TimeMark mark, Instant newest) {
    public static final StoredTime NONE = new StoredTime(null, null);

    /** When the store was last used, as far as its records show. */
    public static StoredTime read(Store store, RecordFormat format) throws StoreException {
        return StateLoader.time(store, format);
    }

    /** Where a manual clock stood when the store was last used. */
    public static Optional<Instant> manualClock(Store store, RecordFormat format) throws StoreException {
        return StateLoader.clock(store, format);
    }

    /** The latest service time that anything was written at. */
    public Optional<Instant> latest() {
        Instant marked = mark == null ? null : mark.at();
        return Optional.ofNullable(marked == null || newest != null && newest.isAfter(marked) ? newest : marked);
    }

    /**
     * Until when documents could be read, as far as that is certain. Service time may have been set between the mark and the newest page, so
     * the page does not count where there is a mark. A mark of an earlier release does not contain the downtime; then the page counts.
     */
    public Optional<Instant> readable() {
        return mark == null || mark.commit() == 0 ? latest() : Optional.of(mark.at());
    }
}
