package io.forewarn.server.metrics;

/** One structured line: {@code key=value} pairs, quoted where needed. */
final class Logfmt {
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
        line.append(key).append('=').append(plain(text) ? text : quoted(text));
        return this;
    }

    private static boolean plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7F) {
                return false;
            }
        }
        return true;
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
