package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;

/** How records are encoded in the store. Each carries its format number; the last two formats can be read. */
public interface RecordFormat {
    byte[] write(StoredRecord record);

    /** @throws StoreException if the bytes are damaged or of a newer release, with a sentence that says which key */
    StoredRecord read(String key, byte[] value) throws StoreException;

    /** False if a record certainly does not hold this name or id; much cheaper than to read it and see. */
    default boolean mayMention(byte[] value, String word) {
        return true;
    }
}
