package io.forewarn.core.event;

/** Lists the phases of an event. Machines see only {@link #SCHEDULED} and {@link #STARTED}. */
public enum Phase {
    /** Accepted; its machine has another event first. Not shown. */
    WAITING,
    /** Scheduled; starts when approved or when its notice is over. */
    SCHEDULED,
    /** The work is in progress. */
    STARTED,
    /** Ended; no longer among the open events. */
    ENDED
}
