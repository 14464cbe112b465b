package io.forewarn.core;

/** Classifies why something was not done, and thereby who must act. */
public enum Problem {
    /** The request is invalid; the message says what would be right. */
    BAD_INPUT,
    /** The request refers to something that does not exist. */
    NOT_FOUND,
    /** The present state does not allow the request; it may later. */
    CONFLICT,
    /** The caller has reached a limit. */
    LIMIT_EXCEEDED,
    /** The caller must authenticate. */
    UNAUTHENTICATED,
    /** The caller may not do this. */
    FORBIDDEN,
    /** The caller sent more than is accepted. */
    TOO_LARGE,
    /** Temporary: try again in a moment. */
    BUSY,
    /** The operator must act: the store does not accept writes. */
    STORE_UNAVAILABLE,
    /** Temporary: the service is starting or stopping. */
    NOT_READY,
    /** Temporary, and nothing was changed: there is no writer, or it lost its role before it decided. */
    NOT_WRITER,
    /** The outcome is unknown: the caller must check it, or repeat the request with the same idempotency key. */
    OUTCOME_UNKNOWN
}
