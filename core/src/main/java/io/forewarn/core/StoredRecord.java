package io.forewarn.core;

/** Represents a record that is stored under its own key. */
public interface StoredRecord {
    /** Its key: a path whose first part is the record type. */
    String key();
}
