package io.forewarn.records;

import java.io.IOException;

/** Reports well-formed JSON that is not a valid record. {@link JsonFormat} adds the record's key to the message. */
final class DamagedRecordException extends IOException {
    DamagedRecordException(String why) {
        super(why);
    }

    /** Requires a value that is not null. */
    static <T> T unlessNull(T value, String member) throws DamagedRecordException {
        if (value == null) {
            throw new DamagedRecordException("'" + member + "' is missing");
        }
        return value;
    }
}
