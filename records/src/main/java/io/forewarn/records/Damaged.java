package io.forewarn.records;

import java.io.IOException;

/** Well-formed JSON that is not the record it should be. Becomes a sentence with the record's key in {@link JsonFormat}. */
final class Damaged extends IOException {
    Damaged(String why) {
        super(why);
    }

    /** The value, unless it was missing. */
    static <T> T unlessNull(T value, String member) throws Damaged {
        if (value == null) {
            throw new Damaged("'" + member + "' is missing");
        }
        return value;
    }
}
