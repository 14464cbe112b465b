package io.forewarn.wire.control;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations as sums of units: {@code 9m59s}, {@code 25h}, {@code 90d}, {@code 2w}. */
public final class Durations {
    /** Describes the format in error messages. */
    public static final String RULE = "a duration such as 30s, 9m59s, 25h, 90d or 2w";

    private static final Pattern SUM = Pattern.compile(
            "(?:(\\d{1,5})w)?(?:(\\d{1,6})d)?(?:(\\d{1,8})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
    private static final int WEEK = 7;

    private Durations() {}

    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Matcher sum = SUM.matcher(text);
        if (text.isEmpty() || !sum.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofDays(WEEK * number(sum.group(1)))
                .plusDays(number(sum.group(2)))
                .plusHours(number(sum.group(3)))
                .plusMinutes(number(sum.group(4)))
                .plusSeconds(number(sum.group(5)))
                .plusMillis(number(sum.group(6))));
    }

    /** The inverse of {@link #parse}, to the millisecond; a week is written as seven days. */
    public static String print(Duration duration) {
        if (duration.isNegative()) {
            return "-" + print(duration.negated());
        }
        StringBuilder text = new StringBuilder();
        part(text, duration.toDays(), "d");
        part(text, duration.toHoursPart(), "h");
        part(text, duration.toMinutesPart(), "m");
        part(text, duration.toSecondsPart(), "s");
        part(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void part(StringBuilder text, long amount, String unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
