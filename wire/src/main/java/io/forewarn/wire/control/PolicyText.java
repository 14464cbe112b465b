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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats policy values as people type them. */
public final class PolicyText {
    private static final String WINDOW_RULE = "a window is written 'sat,sun 01:00 4h Europe/Berlin'";
    private static final String BLACKOUT_RULE =
            "a blackout is written 2026-12-24..2026-12-27 or '2026-12-24 18:00..2026-12-27 06:00 Europe/Berlin'";
    private static final Pattern TIMES = Pattern.compile("(\\d{1,4})x(.+)");
    private static final int LONGEST_BLACKOUT = 100;
    private static final Pattern MOMENT = Pattern.compile("(\\S+?)(?:(?:\\s+|[Tt])(\\d{1,2}:\\S+))?(?:\\s+(\\S+))?");

    private PolicyText() {}

    /** @param zone of a window that names none */
    public static MaintenanceWindow window(String text, ZoneId zone) {
        String[] words = text.strip().split("\\s+");
        if (words.length != 3 && words.length != 4) {
            throw refused("'" + text + "' is not a window: " + WINDOW_RULE);
        }
        Duration length = Durations.parse(words[2])
                .orElseThrow(
                        () -> refused("'" + words[2] + "' is not the length of a window, such as 4h: " + WINDOW_RULE));
        return new MaintenanceWindow(
                days(words[0]), start(words[1]), length, words.length == 4 ? zone(words[3]) : zone);
    }

    public static String window(MaintenanceWindow window) {
        List<String> days = window.days().stream().map(DayNames::of).toList();
        String all = days.size() == DayOfWeek.values().length ? "daily" : String.join(",", days);
        return all + " " + window.start() + " " + Durations.print(window.length()) + " " + window.zone();
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
        return DayNames.parse(word)
                .orElseThrow(() -> refused(
                        "'" + word + "' is not a day; use mon, tuesday, mon-fri, sat,sun or daily: " + WINDOW_RULE));
    }

    private static LocalTime start(String word) {
        return TimeText.timeOfDay(word)
                .orElseThrow(() -> refused("'" + word + "' is not a time of day such as 01:00: " + WINDOW_RULE));
    }

    public static ZoneId zone(String word) {
        try {
            return ZoneId.of(word);
        } catch (DateTimeException unknown) {
            throw refused("there is no time zone " + word
                    + NameRules.nearest(word, ZoneId.getAvailableZoneIds())
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("; Europe/Berlin is one"));
        }
    }

    /**
     * Days, or moments to the minute; a day at its end is included.
     *
     * @param zone of a blackout that names none
     */
    public static Blackout blackout(String text, ZoneId zone) {
        if (text.length() > LONGEST_BLACKOUT) {
            throw refused("a blackout has at most " + LONGEST_BLACKOUT + " characters: " + BLACKOUT_RULE);
        }
        String[] ends = text.strip().split("\\s*\\.\\.\\s*", 2);
        Matcher begin = MOMENT.matcher(ends[0]);
        Matcher end = MOMENT.matcher(ends[ends.length - 1]);
        if (!begin.matches() || !end.matches() || ends.length == 2 && begin.group(3) != null) {
            throw refused("'" + text + "' is not a blackout: " + BLACKOUT_RULE);
        }
        if (ends.length == 1 && begin.group(2) != null) {
            throw refused("'" + text + "' has no end: " + BLACKOUT_RULE);
        }
        try {
            LocalDate first = LocalDate.parse(begin.group(1));
            LocalDate last = LocalDate.parse(end.group(1));
            return new Blackout(
                    begin.group(2) == null ? first.atStartOfDay() : first.atTime(minute(begin.group(2))),
                    end.group(2) == null ? last.plusDays(1).atStartOfDay() : last.atTime(minute(end.group(2))),
                    end.group(3) == null ? zone : zone(end.group(3)));
        } catch (DateTimeException wrong) {
            throw refused("'" + String.join("..", ends) + "' is not a range of days: " + BLACKOUT_RULE);
        }
    }

    private static LocalTime minute(String word) {
        return TimeText.timeOfDay(word)
                .orElseThrow(
                        () -> refused("'" + word + "' is not a time of day between 00:00 and 23:59: " + BLACKOUT_RULE));
    }

    public static String blackout(Blackout blackout) {
        return blackout.range() + " " + blackout.zone();
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
