package io.forewarn.server.metrics;

import java.util.regex.Pattern;

/** One structured line: {@code key=value} pairs, quoted where needed. */
final class Logfmt {
    private static final Pattern PLAIN = Pattern.compile("[^\\s\"=\\\\\\p{Cntrl}]+");

    private final StringBuilder line = new StringBuilder();

    /** Leaves the pair out if there is no value. */
    Logfmt with(String key, Object value) {
        String text = value == null ? "" : value.toString();
        if (text.isEmpty()) {
            return this;
        }
        if (!line.isEmpty()) {
            line.append(' ');
        }
        line.append(key).append('=').append(PLAIN.matcher(text).matches() ? text : quoted(text));
        return this;
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else {
                // A value never begins a line of its own.
                quoted.append(Character.isISOControl(c) ? ' ' : c);
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return line.toString();
    }
}
