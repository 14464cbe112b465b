package io.forewarn.core.event;

/** Where an open event stands. The page shows {@link #SCHEDULED} and {@link #STARTED}, and nothing else. */
public enum Phase {
    /** Accepted; its machine has another event first. Not shown. */
    WAITING,
    /** Announced; starts when approved or when its notice is over. */
    SCHEDULED,
    /** Being carried out. */
    STARTED,
    /** Over; no longer among the open events. */
    GONE
}
