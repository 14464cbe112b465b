package io.forewarn.core.engine;

/** The store failed. The kind says what the writer may assume. */
public final class StoreException extends Exception {
    /** What is known after a failure. */
    public enum Kind {
        /** Nothing was written: full, read-only, out of reach. */
        REJECTED,
        /** It may or may not have been written. */
        UNCERTAIN,
        /** Another writer has taken over. */
        FENCED,
        /** The records cannot be trusted or read: damaged, or written by a newer release. */
        UNREADABLE
    }

    private final Kind kind;

    public StoreException(Kind kind, String sentence, Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
    }

    public StoreException(Kind kind, String sentence) {
        this(kind, sentence, null);
    }

    public Kind kind() {
        return kind;
    }
}
