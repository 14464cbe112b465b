package io.forewarn.server.log;

import io.forewarn.core.InstantText;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Represents a log line: its level, what happened, and details by name. */
public final class LogLine {
    /** The level, numbered as in syslog. */
    public enum Level {
        ERROR(3),
        WARNING(4),
        INFO(6);

        private final int priority;
        private final String word = name().toLowerCase(Locale.ROOT);

        Level(int priority) {
            this.priority = priority;
        }

        int priority() {
            return priority;
        }

        String word() {
            return word;
        }
    }

    /** Longer values are cut, so that no log collector splits a line: journald does at 48 KiB. */
    static final int LONGEST = 16_000;

    private final Level level;
    private final String what;
    private final Map<String, Object> details = new LinkedHashMap<>();
    private Instant at;

    private LogLine(Level level, String what) {
        this.level = level;
        this.what = what;
    }

    public static LogLine of(Level level, String what) {
        return new LogLine(level, what);
    }

    public static LogLine info(String what) {
        return new LogLine(Level.INFO, what);
    }

    public static LogLine warning(String what) {
        return new LogLine(Level.WARNING, what);
    }

    public static LogLine error(String what) {
        return new LogLine(Level.ERROR, what);
    }

    /** Sets a time other than that of writing: decisions are logged in service time. */
    public LogLine at(Instant time) {
        at = time;
        return this;
    }

    /** Adds a detail unless the value is null. A collection becomes a list of strings. */
    public LogLine with(String key, Object value) {
        if (value == null) {
            return this;
        }
        if (value instanceof Instant time) {
            details.put(key, InstantText.of(time));
        } else if (value instanceof Collection<?> several) {
            List<String> texts =
                    several.stream().map(one -> cut(String.valueOf(one))).toList();
            if (!texts.isEmpty()) {
                details.put(key, texts);
            }
        } else {
            String text = value.toString();
            if (!text.isEmpty()) {
                details.put(key, cut(text));
            }
        }
        return this;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    Level level() {
        return level;
    }

    String what() {
        return what;
    }

    Instant at() {
        return at;
    }

    /** Maps names to strings or lists of strings. */
    Map<String, Object> details() {
        return details;
    }
}
