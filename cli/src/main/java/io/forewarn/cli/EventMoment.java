package io.forewarn.cli;

import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EventBody;
import java.util.Optional;

/** Lists what can be waited for in the life of an event. */
enum EventMoment {
    APPROVED("approved"),
    STARTED("started"),
    /** Its work was done. An event that was cancelled or whose work failed is gone, too, but not as intended. */
    GONE("completed");

    private static final String STARTED_STATUS = "started";
    private static final String ENDED_STATUS = "ended";

    /** @param word as typed; ended is what the API calls gone */
    static Optional<EventMoment> parse(String word) {
        return EnumNames.parse(EventMoment.class, word.equals(ENDED_STATUS) ? "gone" : word);
    }

    /** How the history names it, or begins to. */
    private final String entry;

    EventMoment(String entry) {
        this.entry = entry;
    }

    boolean hasCome(EventBody event) {
        return switch (this) {
            case APPROVED -> event.approvedBy() != null || isInHistory(event);
            case STARTED -> event.status().equals(STARTED_STATUS) || isInHistory(event);
            case GONE ->
                event.status().equals(ENDED_STATUS)
                        && event.outcome() != null
                        && event.outcome().startsWith(entry);
        };
    }

    /** Whether it can no longer come. */
    boolean wasMissed(EventBody event) {
        boolean gone = event.status().equals(ENDED_STATUS);
        return !hasCome(event) && (gone || this == APPROVED && event.status().equals(STARTED_STATUS));
    }

    /** An event that has ended since the last look only has its history. */
    private boolean isInHistory(EventBody event) {
        return event.history() != null
                && event.history().stream().anyMatch(past -> past.kind().startsWith(entry));
    }
}
