package io.forewarn.wire.control;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Parses times as people type them: {@code fri 22:00}, {@code tomorrow 02:00 Europe/Berlin}, {@code 22:00},
 * {@code 2026-11-20 22:00}, {@code in 2h}, {@code now}, or an ISO 8601 time with or without its zone.
 *
 * <p>A time of day that the clocks skip is later by as much as they skip; of one that occurs twice the first counts.
 * Windows ({@link io.forewarn.core.policy.MaintenanceWindow}) treat both in the same way.
 */
public final class TimeText {
    /** Describes the format in error messages. */
    public static final String RULE =
            "a time such as 'fri 22:00', 'tomorrow 02:00 Europe/Berlin', 'in 2h' or 2030-01-01T00:00:00Z";

    private static final String PAST_RULE =
            "how long ago, such as 2h, or a time such as 'fri 22:00', 'yesterday 02:00' or 2030-01-01T00:00:00Z";
    private static final List<String> NEAR_DAYS = List.of("yesterday", "today", "tomorrow");
    private static final Pattern DATE_AND_TIME = Pattern.compile("(\\d{4,}-\\d{1,2}-\\d{1,2})[Tt](\\S+)");
    private static final Pattern DATE = Pattern.compile("\\d{4,}-\\d{1,2}-\\d{1,2}");
    private static final Pattern TIME_OF_DAY = Pattern.compile("\\d{1,2}:\\d{2}(:\\d{2})?");
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("H:mm[:ss]", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    /** One more than a week: a time of day that the clocks skip may fall on the day after. */
    private static final int DAYS_SEARCHED = 8;

    private final String what;
    private final String text;
    private final List<String> words;
    private final ZoneId zone;
    private final Instant now;
    private final boolean past;

    private TimeText(String what, String text, ZoneId zone, Instant now, boolean past) {
        this.what = what;
        this.text = text.strip();
        this.words = new ArrayList<>(Arrays.asList(this.text.split("\\s+")));
        this.zone = zone;
        this.now = now;
        this.past = past;
    }

    /**
     * The next such moment after {@code now}; a date that is given in full is taken as it is, even if it has passed.
     *
     * @param what names the value in errors, such as {@code until}
     * @param zone of a time that names none
     */
    public static Instant parse(String what, String text, ZoneId zone, Instant now) {
        return new TimeText(what, text, zone, now, false).parse();
    }

    /** The same without a name for the value. */
    public static Instant parse(String text, ZoneId zone, Instant now) {
        return parse("a time", text, zone, now);
    }

    /**
     * The last such moment up to {@code now}, for reading what has happened. A duration alone, or with {@code ago}, is
     * how long ago.
     */
    public static Instant parsePast(String what, String text, ZoneId zone, Instant now) {
        return new TimeText(what, text, zone, now, true).parse();
    }

    /** The zone that a text names at its end, as in {@code fri 22:00 Europe/Berlin}; empty if it names none. */
    public static Optional<ZoneId> zone(String text) {
        String last = text.strip().substring(text.strip().lastIndexOf(' ') + 1);
        return ZoneId.getAvailableZoneIds().contains(last) ? Optional.of(ZoneId.of(last)) : Optional.empty();
    }

    private Instant parse() {
        try {
            return exact().or(this::relative).orElseGet(this::onDay);
        } catch (DateTimeException | ArithmeticException tooFar) {
            throw refused("'" + text + "' is too far away");
        }
    }

    /** With an offset, everything is said. */
    private Optional<Instant> exact() {
        if (words.size() != 1 || !DATE_AND_TIME.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ZonedDateTime.parse(text).toInstant());
        } catch (DateTimeException local) {
            return Optional.empty();
        }
    }

    private Optional<Instant> relative() {
        String first = words.get(0).toLowerCase(Locale.ROOT);
        if (words.size() == 1 && first.equals("now")) {
            return Optional.of(now);
        }
        if (words.size() > 1 && first.equals("in")) {
            return Optional.of(now.plus(length(words.subList(1, words.size()))));
        }
        if (!past) {
            return Optional.empty();
        }
        if (words.size() > 1 && words.get(words.size() - 1).equalsIgnoreCase("ago")) {
            return Optional.of(now.minus(length(words.subList(0, words.size() - 1))));
        }
        return Durations.parse(text).map(now::minus);
    }

    /** {@code 1h 30m} is the same as {@code 1h30m}. */
    private Duration length(List<String> parts) {
        String typed = String.join("", parts);
        return Durations.parse(typed).orElseThrow(() -> refused("'" + typed + "' is not " + Durations.RULE));
    }

    private Instant onDay() {
        split();
        String first = words.get(0);
        String day = first.toLowerCase(Locale.ROOT);
        if (TIME_OF_DAY.matcher(first).matches()) {
            return nearest(0, null);
        }
        if (NEAR_DAYS.contains(day)) {
            return near(NEAR_DAYS.indexOf(day) - 1);
        }
        if (DATE.matcher(first).matches()) {
            return at(date(first), timeOfDay(1), zone(1)).toInstant();
        }
        return nearest(1, DayNames.parse(day).orElseThrow(() -> notADay(first)));
    }

    /** {@code 2026-11-20T22:00} becomes two words. */
    private void split() {
        Matcher both = DATE_AND_TIME.matcher(words.get(0));
        if (both.matches()) {
            words.set(0, both.group(1));
            words.add(1, both.group(2));
        }
    }

    private Instant near(int days) {
        LocalTime time = timeOfDay(1);
        ZoneId in = zone(1);
        ZonedDateTime at = at(now.atZone(in).toLocalDate().plusDays(days), time, in);
        if (!past && !at.toInstant().isAfter(now)) {
            throw refused("'" + text + "' has passed; 'tomorrow " + words.get(1) + "' would be right");
        }
        return at.toInstant();
    }

    /** @param weekday null for any */
    private Instant nearest(int timeAt, DayOfWeek weekday) {
        LocalTime time = timeOfDay(timeAt);
        ZoneId in = zone(timeAt);
        LocalDate today = now.atZone(in).toLocalDate();
        return IntStream.rangeClosed(-1, DAYS_SEARCHED)
                .mapToObj(days -> past ? today.minusDays(days) : today.plusDays(days))
                .filter(date -> weekday == null || date.getDayOfWeek() == weekday)
                .map(date -> at(date, time, in).toInstant())
                .filter(at -> past != at.isAfter(now))
                .findFirst()
                .orElseThrow();
    }

    private static ZonedDateTime at(LocalDate day, LocalTime time, ZoneId zone) {
        return ZonedDateTime.of(day, time, zone);
    }

    private LocalDate date(String word) {
        try {
            return LocalDate.parse(word);
        } catch (DateTimeException wrong) {
            throw refused("there is no day " + word + "; a day is written 2026-11-20");
        }
    }

    private LocalTime timeOfDay(int index) {
        if (words.size() <= index) {
            throw refused("'" + text + "' has no time of day; '" + text + " 22:00' would be right");
        }
        String word = words.get(index);
        return timeOfDay(word)
                .orElseThrow(() -> refused("'" + word + "' is not a time of day between 00:00 and 23:59"));
    }

    /** {@code 9:00} is the same as {@code 09:00}. */
    static Optional<LocalTime> timeOfDay(String word) {
        try {
            return TIME_OF_DAY.matcher(word).matches() ? Optional.of(LocalTime.parse(word, CLOCK)) : Optional.empty();
        } catch (DateTimeException wrong) {
            return Optional.empty();
        }
    }

    /** The word after the time of day, and nothing after it. */
    private ZoneId zone(int timeAt) {
        if (words.size() > timeAt + 2) {
            throw refused("'" + String.join(" ", words.subList(timeAt + 2, words.size())) + "' says too much; "
                    + "'fri 22:00 Europe/Berlin' would be right");
        }
        return words.size() == timeAt + 2 ? PolicyText.zone(words.get(timeAt + 1)) : zone;
    }

    private RefusedException notADay(String word) {
        List<String> known = new ArrayList<>(NEAR_DAYS);
        known.addAll(DayNames.all());
        return NameRules.nearest(word.toLowerCase(Locale.ROOT), Collections.unmodifiableList(known))
                .map(near -> refused("'" + word + "' is not a day; did you mean '" + near + "'?"))
                .orElseGet(() -> new RefusedException(
                        Problem.BAD_INPUT, what + " must be " + (past ? PAST_RULE : RULE) + ", not '" + text + "'"));
    }

    private RefusedException refused(String sentence) {
        return new RefusedException(Problem.BAD_INPUT, what + ": " + sentence);
    }
}
