package io.forewarn.server.settings;

import java.util.List;

/**
 * Holds the value given for a setting and where it came from.
 *
 * @param values one value, or several for a list
 * @param line line in the file; 0 if it came from elsewhere
 * @param origin the file, variable or flag, for error messages
 */
record GivenValue(List<String> values, boolean list, int line, String origin) {
    static GivenValue one(String value, String origin) {
        return new GivenValue(List.of(value), false, 0, origin);
    }

    String text() {
        return String.join(",", values);
    }
}
