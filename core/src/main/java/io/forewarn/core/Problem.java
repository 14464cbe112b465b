package io.forewarn.core;

/** Why something was not done. The name says who must act. */
public enum Problem {
    /** The caller sent something that makes no sense; the sentence says what would. */
    BAD_INPUT,
    /** The caller named something that does not exist. */
    UNKNOWN_NAME,
    /** The caller asks for something the present state does not allow; it may later. */
    CONFLICT,
    /** The caller has as much under way as it may have. */
    TOO_MANY,
    /** The caller must say who it is. */
    UNAUTHENTICATED,
    /** The caller is known, or unknown, and may not. */
    FORBIDDEN,
    /** The caller sent more than is accepted. */
    TOO_LARGE,
    /** Nobody must act: try again in a moment. */
    BUSY,
    /** The operator must act: the store does not take writes. */
    STORE_DOWN,
    /** Nobody must act: the service is starting or ending. */
    NOT_READY,
    /** Nobody must act, and nothing was changed: no writer took it, or the one that had it stopped writing before. */
    NOT_WRITER,
    /** The caller must look whether it was done, or ask again under the same key. */
    NOT_KNOWN
}
