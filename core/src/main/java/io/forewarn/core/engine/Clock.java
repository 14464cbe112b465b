package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Supplies service time. Only {@code boot} creates clocks that read the machine's clock. */
public interface Clock {
    ClockReading now();

    /** How long the machine has been up, if that is worth storing; not for a manual clock. */
    default Uptime uptime() {
        return Uptime.UNKNOWN;
    }

    /**
     * Until when documents could be read before this process could answer, in service time; empty if nothing was missed. What was
     * scheduled then still gets the rest of its notice.
     *
     * @param stored what the store contains about the time when this process becomes the writer
     */
    default Optional<Instant> unreadableSince(StoredTime stored) {
        return Optional.empty();
    }

    /**
     * By how much service time jumped, at a start, to a wall clock that is not trusted yet. Until it is, nothing expires because of the jump.
     */
    default Duration doubt() {
        return Duration.ZERO;
    }

    /** Service time without what is in doubt: by this, tokens expire. */
    default Instant undoubted() {
        return now().wall().minus(doubt());
    }
}
