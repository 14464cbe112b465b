package io.forewarn.core;

/** Anything that is written to the store under a key of its own. */
public interface StoredRecord {
    /** Where it lives: a path whose first part says what it is. */
    String key();
}
