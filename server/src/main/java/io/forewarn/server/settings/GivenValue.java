package io.forewarn.server.settings;

import java.util.List;

/**
 * A value somebody gave, and where.
 *
 * @param values one, or several if it is a list
 * @param line in the file; 0 if it came otherwise
 * @param origin for people: the file, the variable or the flag
 */
record GivenValue(List<String> values, boolean list, int line, String origin) {
    static GivenValue one(String value, String origin) {
        return new GivenValue(List.of(value), false, 0, origin);
    }

    String text() {
        return String.join(",", values);
    }
}
