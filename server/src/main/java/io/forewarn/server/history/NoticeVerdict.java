package io.forewarn.server.history;

/** States whether an event was given its promised notice. */
public enum NoticeVerdict {
    /** It had all of it before it started. */
    KEPT,
    /** It started earlier because it was approved. */
    WAIVED,
    /** It started earlier without approval. */
    SHORTFALL,
    /** None was promised: a failure, work approved in advance, or a group that does not poll. */
    NOT_PROMISED,
    /** It never started. */
    CANCELLED,
    /** It has not started yet. */
    OPEN
}
