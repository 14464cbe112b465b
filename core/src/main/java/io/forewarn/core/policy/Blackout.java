package io.forewarn.core.policy;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;

/**
 * Describes a time in which nothing starts. A begin or an end that the clocks skip is the moment at which they do; where one
 * occurs twice, it lasts from the first begin to the second end.
 *
 * @param begin in the zone, to the minute
 * @param end the first minute after it
 */
public record Blackout(LocalDateTime begin, LocalDateTime end, ZoneId zone) {
    private static final LocalDate EARLIEST = LocalDate.of(1970, 1, 1);
    private static final LocalDate LATEST = LocalDate.of(2199, 12, 31);

    public Blackout {
        if (!begin.equals(begin.truncatedTo(ChronoUnit.MINUTES)) || !end.equals(end.truncatedTo(ChronoUnit.MINUTES))) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the blackout " + range(begin, end) + " has seconds; give it to the minute");
        }
        if (!end.isAfter(begin)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the blackout " + range(begin, end) + " ends before it begins; swap the two");
        }
        if (begin.isBefore(EARLIEST.atStartOfDay())
                || end.isAfter(LATEST.plusDays(1).atStartOfDay())) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the blackout " + range(begin, end) + " is not between " + EARLIEST + " and " + LATEST);
        }
    }

    /** Whole days, from the first to the last inclusive. */
    public Blackout(LocalDate first, LocalDate last, ZoneId zone) {
        this(first.atStartOfDay(), afterLast(last), zone);
    }

    private static LocalDateTime afterLast(LocalDate last) {
        return last.equals(LocalDate.MAX)
                ? LocalDateTime.MAX.truncatedTo(ChronoUnit.MINUTES)
                : last.plusDays(1).atStartOfDay();
    }

    /** The day on which it begins. */
    public LocalDate first() {
        return begin.toLocalDate();
    }

    /** The last day that it covers, if only in part. */
    public LocalDate last() {
        return end.minusMinutes(1).toLocalDate();
    }

    /** Whether it covers whole days only. */
    public boolean isOfDays() {
        return begin.toLocalTime().equals(LocalTime.MIDNIGHT)
                && end.toLocalTime().equals(LocalTime.MIDNIGHT);
    }

    /** Without the zone: a begin or an end at midnight is written as a day, like {@code 2026-12-24..2026-12-27}. */
    public String range() {
        return range(begin, end);
    }

    private static String range(LocalDateTime begin, LocalDateTime end) {
        LocalDate last =
                end.toLocalTime().equals(LocalTime.MIDNIGHT) ? end.toLocalDate().minusDays(1) : end.toLocalDate();
        return text(begin, begin.toLocalDate()) + ".." + text(end, last);
    }

    private static String text(LocalDateTime at, LocalDate day) {
        return at.toLocalTime().equals(LocalTime.MIDNIGHT) ? day.toString() : day + " " + at.toLocalTime();
    }

    /** Whether the clocks skip all of it. */
    public boolean isSkipped() {
        return !ends().isAfter(begins());
    }

    boolean covers(Instant at) {
        return !at.isBefore(begins()) && at.isBefore(ends());
    }

    Instant begins() {
        return moment(ZonedDateTime.of(begin, zone), begin);
    }

    /** The first instant after it. */
    Instant ends() {
        return moment(ZonedDateTime.of(end, zone).withLaterOffsetAtOverlap(), end);
    }

    private Instant moment(ZonedDateTime at, LocalDateTime local) {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        return change != null && change.isGap() ? change.getInstant() : at.toInstant();
    }
}
