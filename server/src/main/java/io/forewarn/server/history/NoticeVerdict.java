package io.forewarn.server.history;

/** What became of the notice an event was promised. */
public enum NoticeVerdict {
    /** It had all of it before it started. */
    KEPT,
    /** It started earlier because somebody approved it. */
    WAIVED,
    /** It started earlier and nobody had approved it. */
    SHORT,
    /** None was promised: a failure, work approved in advance, or a group that does not ask. */
    WITHOUT,
    /** It never started. */
    CANCELLED,
    /** It has not started yet. */
    OPEN
}
