package io.forewarn.cli;

import java.util.Locale;

/**
 * Escapes characters that a terminal would interpret or hide, such as escape sequences and changes of the writing
 * direction. Owners choose descriptions, tags and details, and operators read them on a terminal. Uses JSON escapes, so
 * that JSON output keeps its meaning.
 */
final class ControlCharacters {
    private ControlCharacters() {}

    /** Escapes a text of several lines and keeps the line ends. */
    static String text(String text) {
        return escaped(text, true);
    }

    /** Escapes a single line, including line ends. */
    static String line(String line) {
        return escaped(line, false);
    }

    private static String escaped(String text, boolean lines) {
        if (isPlain(text, lines) || text.codePoints().allMatch(c -> harmless(c, lines))) {
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

    /** Whether it is only ASCII, as most texts are; these need no look into Unicode's tables. */
    private static boolean isPlain(String text, boolean lines) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' || c > '~') && !(lines && c == '\n')) {
                return false;
            }
        }
        return true;
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
