package io.forewarn.cli;

import java.util.Locale;

/**
 * Makes characters visible that a terminal would obey or hide: escape sequences, changes of the writing direction. Owners
 * choose descriptions, tags and details; an operator reads them on a terminal. Spelt as in JSON, so that JSON stays the same.
 */
final class ControlCharacters {
    private ControlCharacters() {}

    /** Text of several lines: the ends of its lines stay. */
    static String text(String text) {
        return escaped(text, true);
    }

    /** One line: what would end it is made visible, too. */
    static String line(String line) {
        return escaped(line, false);
    }

    private static String escaped(String text, boolean lines) {
        if (text.codePoints().allMatch(c -> harmless(c, lines))) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (harmless(c, lines)) {
                escaped.appendCodePoint(c);
            } else {
                escape(escaped, c);
            }
        });
        return escaped.toString();
    }

    private static void escape(StringBuilder escaped, int c) {
        switch (c) {
            case '\n' -> escaped.append("\\n");
            case '\r' -> escaped.append("\\r");
            case '\t' -> escaped.append("\\t");
            default -> {
                for (char unit : Character.toChars(c)) {
                    escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
            }
        }
    }

    private static boolean harmless(int c, boolean lines) {
        if (c == '\n' || c == '\t') {
            return lines;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> false;
            default -> true;
        };
    }
}
