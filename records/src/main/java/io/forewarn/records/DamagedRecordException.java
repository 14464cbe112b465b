package io.forewarn.records;

import java.io.IOException;

/** Well-formed JSON that is not the record it should be. Becomes a sentence with the record's key in {@link JsonFormat}. */
final class DamagedRecordException extends IOException {
    DamagedRecordException(String why) {
        super(why);
    }

    /** The value, unless it was missing. */
    static <T> T unlessNull(T value, String member) throws DamagedRecordException {
        if (value == null) {
            throw new DamagedRecordException("'" + member + "' is missing");
        }
        return value;
    }
}
