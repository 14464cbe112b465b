package io.forewarn.wire.control;

import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Converts days of the week to the names that people type: {@code fri}, {@code friday}. */
final class DayNames {
    private static final int SHORTEST = 3;

    private DayNames() {}

    /** The three letters that are printed. */
    static String of(DayOfWeek day) {
        return whole(day).substring(0, SHORTEST);
    }

    /** Accepts the first three letters or more, in upper or lower case. */
    static Optional<DayOfWeek> parse(String word) {
        String typed = word.toLowerCase(Locale.ROOT);
        return Arrays.stream(DayOfWeek.values())
                .filter(day -> typed.length() >= SHORTEST && whole(day).startsWith(typed))
                .findFirst();
    }

    static List<String> all() {
        return Arrays.stream(DayOfWeek.values()).map(DayNames::whole).toList();
    }

    private static String whole(DayOfWeek day) {
        return day.name().toLowerCase(Locale.ROOT);
    }
}
