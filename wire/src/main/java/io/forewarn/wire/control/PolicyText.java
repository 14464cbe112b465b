package io.forewarn.wire.control;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.PostponementLimit;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats policy values as people type them. */
public final class PolicyText {
    private static final String WINDOW_RULE = "a window is written 'sat,sun 01:00 4h Europe/Berlin'";
    private static final String BLACKOUT_RULE = "a blackout is written 2026-12-24..2026-12-27, or with a zone after it";
    private static final Pattern TIMES = Pattern.compile("(\\d{1,4})x(.+)");
    private static final ZoneId UTC = ZoneId.of("UTC");

    private PolicyText() {}

    public static MaintenanceWindow window(String text) {
        String[] words = text.strip().split("\\s+");
        if (words.length != 3 && words.length != 4) {
            throw refused("'" + text + "' is not a window: " + WINDOW_RULE);
        }
        Duration length = Durations.parse(words[2])
                .orElseThrow(
                        () -> refused("'" + words[2] + "' is not the length of a window, such as 4h: " + WINDOW_RULE));
        return new MaintenanceWindow(days(words[0]), start(words[1]), length, words.length == 4 ? zone(words[3]) : UTC);
    }

    public static String window(MaintenanceWindow window) {
        List<String> days = window.days().stream().map(PolicyText::day).toList();
        String all = days.size() == DayOfWeek.values().length ? "daily" : String.join(",", days);
        return all + " " + window.start() + " " + Durations.print(window.length()) + " " + window.zone();
    }

    private static String day(DayOfWeek day) {
        return day.name().substring(0, 3).toLowerCase(Locale.ROOT);
    }

    private static Set<DayOfWeek> days(String text) {
        if (text.equalsIgnoreCase("daily")) {
            return EnumSet.allOf(DayOfWeek.class);
        }
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (String part : text.split(",")) {
            String[] ends = part.split("-", 2);
            DayOfWeek last = dayOf(ends[ends.length - 1]);
            for (DayOfWeek day = dayOf(ends[0]); day != last; day = day.plus(1)) {
                days.add(day);
            }
            days.add(last);
        }
        return days;
    }

    private static DayOfWeek dayOf(String word) {
        return Arrays.stream(DayOfWeek.values())
                .filter(d -> day(d).equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> refused("'" + word
                        + "' is not a day; use mon, tue, wed, thu, fri, sat, sun, mon-fri or daily: " + WINDOW_RULE));
    }

    private static LocalTime start(String word) {
        try {
            return LocalTime.parse(word);
        } catch (DateTimeException wrong) {
            throw refused("'" + word + "' is not a time of day such as 01:00: " + WINDOW_RULE);
        }
    }

    static ZoneId zone(String word) {
        try {
            return ZoneId.of(word);
        } catch (DateTimeException unknown) {
            throw refused("there is no time zone " + word
                    + NameRules.nearest(word, ZoneId.getAvailableZoneIds())
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("; Europe/Berlin is one"));
        }
    }

    public static Blackout blackout(String text) {
        String[] words = text.strip().split("\\s+");
        String[] ends = words[0].split("\\.\\.", 2);
        if (words.length > 2) {
            throw refused("'" + text + "' is not a blackout: " + BLACKOUT_RULE);
        }
        try {
            return new Blackout(
                    LocalDate.parse(ends[0]),
                    LocalDate.parse(ends[ends.length - 1]),
                    words.length == 2 ? zone(words[1]) : UTC);
        } catch (DateTimeException wrong) {
            throw refused("'" + words[0] + "' is not a range of days: " + BLACKOUT_RULE);
        }
    }

    public static String blackout(Blackout blackout) {
        return blackout.first() + ".." + blackout.last() + " " + blackout.zone();
    }

    public static ApprovalQuorum voting(String text) {
        return switch (text) {
            case "any" -> ApprovalQuorum.ANY;
            case "all" -> ApprovalQuorum.ALL;
            default -> {
                if (!text.matches("-?\\d{1,6}")) {
                    throw refused("approval must be any, all, or how many machines must be ready, not '" + text + "'");
                }
                yield ApprovalQuorum.some(Integer.parseInt(text));
            }
        };
    }

    public static PostponementLimit allowance(String text) {
        if (text.equals("none")) {
            return PostponementLimit.NONE;
        }
        Matcher times = TIMES.matcher(text);
        if (!times.matches()) {
            throw refused("'" + text + "' is not a postponement limit: use COUNTxDURATION, as in 3x2h, or none");
        }
        Duration total = Durations.parse(times.group(2))
                .orElseThrow(() -> refused(
                        "'" + times.group(2) + "' is not a duration such as 2h: use COUNTxDURATION, as in 3x2h"));
        return new PostponementLimit(Integer.parseInt(times.group(1)), total);
    }

    public static String allowance(PostponementLimit limit) {
        return limit.times() == 0 ? "none" : limit.times() + "x" + Durations.print(limit.total());
    }

    private static RefusedException refused(String sentence) {
        return new RefusedException(Problem.BAD_INPUT, sentence);
    }
}
