package io.forewarn.server.log;

import io.forewarn.core.InstantText;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Formats log lines. Every value stays inside its quotes and on its line: control characters, line ends of
 * all kinds and bidirectional marks are escaped, so that names and descriptions cannot forge log lines.
 */
public enum LogFormat {
    /** {@code key=value} pairs, quoted where needed. */
    LOGFMT {
        @Override
        public String print(LogLine line) {
            StringBuilder text = new StringBuilder(TYPICAL);
            if (line.at() != null) {
                pair(text, "at", InstantText.of(line.at()));
            }
            pair(text, "level", word(line));
            pair(text, "what", line.what());
            for (Map.Entry<String, Object> detail : line.details().entrySet()) {
                Object value = detail.getValue();
                pair(text, detail.getKey(), value instanceof List<?> several ? joined(several) : value.toString());
            }
            return text.toString();
        }
    },
    /** One JSON object. */
    JSON {
        @Override
        public String print(LogLine line) {
            StringBuilder text = new StringBuilder("{");
            if (line.at() != null) {
                member(text, "at", InstantText.of(line.at()));
            }
            member(text, "level", word(line));
            member(text, "what", line.what());
            for (Map.Entry<String, Object> detail : line.details().entrySet()) {
                member(text, detail.getKey(), detail.getValue());
            }
            return text.append('}').toString();
        }
    },
    /** As logfmt, with the priority prefix of journald and syslog. */
    JOURNALD {
        @Override
        public String print(LogLine line) {
            return "<" + line.level().priority() + ">" + LOGFMT.print(line);
        }
    };

    private static final int TYPICAL = 256;

    public abstract String print(LogLine line);

    private static String word(LogLine line) {
        return line.level().word();
    }

    private static String joined(List<?> texts) {
        return texts.size() == 1
                ? texts.get(0).toString()
                : String.join(",", texts.stream().map(Object::toString).toList());
    }

    private static void pair(StringBuilder text, String key, String value) {
        if (!text.isEmpty()) {
            text.append(' ');
        }
        text.append(key).append('=');
        if (plain(value)) {
            text.append(value);
        } else {
            quoted(text, value);
        }
    }

    private static boolean plain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c == '"' || c == '=' || c == '\\' || c > '~') {
                return false;
            }
        }
        return !value.isEmpty();
    }

    private static void member(StringBuilder text, String key, Object value) {
        if (text.length() > 1) {
            text.append(',');
        }
        quoted(text, key);
        text.append(':');
        if (value instanceof List<?> several) {
            text.append('[');
            for (int i = 0; i < several.size(); i++) {
                text.append(i == 0 ? "" : ",");
                quoted(text, several.get(i).toString());
            }
            text.append(']');
        } else {
            quoted(text, value.toString());
        }
    }

    /** Quotes as JSON does, which logfmt parsers understand too. */
    private static void quoted(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); ) {
            int c = value.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '"', '\\' -> text.append('\\').append((char) c);
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c >= ' ' && c <= '~' || harmless(c)) {
                        text.appendCodePoint(c);
                    } else {
                        for (char unit : Character.toChars(c)) {
                            text.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                        }
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean harmless(int c) {
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
