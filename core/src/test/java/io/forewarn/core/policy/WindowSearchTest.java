package io.forewarn.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WindowSearchTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static StartCalendar weekly(String start, Duration length, ZoneId zone, DayOfWeek... days) {
        return new StartCalendar(
                List.of(new MaintenanceWindow(Set.of(days), LocalTime.parse(start), length, zone)), List.of());
    }

    private static Optional<Instant> earliest(String from, StartCalendar... calendars) {
        return WindowSearch.earliest(Instant.parse(from), List.of(calendars));
    }

    private static Optional<Instant> at(String instant) {
        return Optional.of(Instant.parse(instant));
    }

    @Test
    void withoutWindowsEveryMomentIsOpen() {
        assertEquals(at("2026-03-01T12:00:00Z"), earliest("2026-03-01T12:00:00Z", StartCalendar.ALWAYS));
        assertEquals(at("2026-03-01T12:00:00Z"), earliest("2026-03-01T12:00:00Z"));
    }

    @Test
    void aWindowOpensByTheClocksOfItsZone() {
        StartCalendar calendar = weekly("01:00", Duration.ofHours(4), BERLIN, DayOfWeek.SATURDAY);
        assertEquals(at("2026-01-10T00:00:00Z"), earliest("2026-01-07T12:00:00Z", calendar));
        assertEquals(at("2026-07-10T23:00:00Z"), earliest("2026-07-07T12:00:00Z", calendar));
        assertEquals(at("2026-01-10T03:59:59Z"), earliest("2026-01-10T03:59:59Z", calendar));
        assertEquals(at("2026-01-17T00:00:00Z"), earliest("2026-01-10T04:00:00Z", calendar));
    }

    @Test
    void aWindowReachesOverMidnightAndTheWeekend() {
        StartCalendar calendar = weekly("23:00", Duration.ofHours(30), BERLIN, DayOfWeek.SUNDAY);
        assertTrue(calendar.isOpen(Instant.parse("2026-01-13T03:59:59Z")));
        assertFalse(calendar.isOpen(Instant.parse("2026-01-13T04:00:00Z")));
    }

    @Test
    void aStartThatTheClocksSkipComesAsMuchLaterAndLastsAsLong() {
        // On 29 March 2026 clocks in Berlin go from 02:00 to 03:00.
        StartCalendar calendar = weekly("02:30", Duration.ofHours(1), BERLIN, DayOfWeek.SUNDAY);
        assertEquals(at("2026-03-29T01:30:00Z"), earliest("2026-03-28T12:00:00Z", calendar));
        assertTrue(calendar.isOpen(Instant.parse("2026-03-29T02:29:59Z")));
        assertFalse(calendar.isOpen(Instant.parse("2026-03-29T02:30:00Z")));
    }

    @Test
    void aStartThatComesTwiceCountsTheFirstTimeOnly() {
        // On 25 October 2026 clocks in Berlin go from 03:00 back to 02:00.
        StartCalendar calendar = weekly("02:30", Duration.ofMinutes(30), BERLIN, DayOfWeek.SUNDAY);
        assertEquals(at("2026-10-25T00:30:00Z"), earliest("2026-10-24T12:00:00Z", calendar));
        assertEquals(at("2026-11-01T01:30:00Z"), earliest("2026-10-25T01:00:00Z", calendar));
    }

    @Test
    void aWindowThatSpansAChangeOfClocksLastsAsLongAsItSays() {
        StartCalendar calendar = weekly("01:00", Duration.ofHours(4), BERLIN, DayOfWeek.SUNDAY);
        assertTrue(calendar.isOpen(Instant.parse("2026-03-29T03:59:59Z")));
        assertFalse(calendar.isOpen(Instant.parse("2026-03-29T04:00:00Z")));
    }

    @Test
    void aBlackoutClosesItsFirstAndItsLastDay() {
        StartCalendar calendar = new StartCalendar(
                List.of(), List.of(new Blackout(LocalDate.of(2026, 12, 24), LocalDate.of(2026, 12, 27), BERLIN)));
        assertTrue(calendar.isOpen(Instant.parse("2026-12-23T22:59:59Z")));
        assertEquals(at("2026-12-27T23:00:00Z"), earliest("2026-12-23T23:00:00Z", calendar));
    }

    @Test
    void aBlackoutBeginsAndEndsAtAMinute() {
        StartCalendar calendar = new StartCalendar(
                List.of(),
                List.of(new Blackout(
                        LocalDateTime.parse("2026-12-24T18:00"), LocalDateTime.parse("2027-01-02T06:00"), BERLIN)));
        assertTrue(calendar.isOpen(Instant.parse("2026-12-24T16:59:59Z")));
        assertFalse(calendar.isOpen(Instant.parse("2026-12-24T17:00:00Z")));
        assertEquals(at("2027-01-02T05:00:00Z"), earliest("2026-12-24T17:00:00Z", calendar));
    }

    @Test
    void aBlackoutLastsFromTheFirstBeginToTheSecondEndWhereTimesOccurTwice() {
        StartCalendar calendar = new StartCalendar(
                List.of(),
                List.of(new Blackout(
                        LocalDateTime.parse("2026-10-25T02:10"), LocalDateTime.parse("2026-10-25T02:30"), BERLIN)));
        assertTrue(calendar.isOpen(Instant.parse("2026-10-25T00:09:59Z")));
        assertEquals(at("2026-10-25T01:30:00Z"), earliest("2026-10-25T00:10:00Z", calendar));
    }

    @Test
    void aBlackoutWhoseBeginOrEndIsSkippedCoversWhatIsLeftOfIt() {
        StartCalendar begin = blackout("2040-03-25T02:30", "2040-03-25T03:15");
        assertTrue(begin.isOpen(Instant.parse("2040-03-25T00:59:59Z")));
        assertEquals(at("2040-03-25T01:15:00Z"), earliest("2040-03-25T01:00:00Z", begin));

        StartCalendar end = blackout("2040-03-25T01:45", "2040-03-25T02:30");
        assertTrue(end.isOpen(Instant.parse("2040-03-25T00:44:59Z")));
        assertEquals(at("2040-03-25T01:00:00Z"), earliest("2040-03-25T00:45:00Z", end));
    }

    private static StartCalendar blackout(String begin, String end) {
        return new StartCalendar(
                List.of(), List.of(new Blackout(LocalDateTime.parse(begin), LocalDateTime.parse(end), BERLIN)));
    }

    @Test
    void severalCalendarsNeedAMomentInCommon() {
        StartCalendar berlin = weekly("01:00", Duration.ofHours(4), BERLIN, DayOfWeek.SATURDAY);
        StartCalendar early = weekly("03:00", Duration.ofHours(4), ZoneId.of("UTC"), DayOfWeek.SATURDAY);
        StartCalendar never = weekly("12:00", Duration.ofHours(1), BERLIN, DayOfWeek.MONDAY);
        assertEquals(at("2026-01-10T03:00:00Z"), earliest("2026-01-07T12:00:00Z", berlin, early));
        assertEquals(at("2026-01-10T03:00:00Z"), earliest("2026-01-07T12:00:00Z", early, berlin));
        assertEquals(Optional.empty(), earliest("2026-01-07T12:00:00Z", berlin, never));
    }

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final Duration MONTH = Duration.ofDays(30);

    private static Optional<Instant> closedForAMonth(Blackout... blackouts) {
        StartCalendar calendar = new StartCalendar(List.of(), List.of(blackouts));
        return WindowSearch.closedLonger(Instant.parse("2026-03-01T09:00:00Z"), calendar, MONTH);
    }

    private static Blackout from(LocalDateTime begins, Duration length) {
        return new Blackout(begins, begins.plus(length), UTC);
    }

    @Test
    void aClosureThatIsHalfADayTooLongIsFoundWhereverItBegins() {
        LocalDateTime midnight = LocalDateTime.parse("2026-03-02T00:00");
        for (int hour = 0; hour < 24; hour++) {
            LocalDateTime begins = midnight.plusHours(hour);
            assertEquals(
                    Optional.of(begins.atZone(UTC).toInstant()), closedForAMonth(from(begins, MONTH.plusHours(12))));
        }
    }

    @Test
    void aClosureIsTooLongByAMinute() {
        LocalDateTime begins = LocalDateTime.parse("2026-03-02T12:00");
        assertEquals(Optional.empty(), closedForAMonth(from(begins, MONTH)));
        assertEquals(at("2026-03-02T12:00:00Z"), closedForAMonth(from(begins, MONTH.plusMinutes(1))));
    }

    @Test
    void manyBlackoutsThatFollowEachOtherCloseAsLongAsOne() {
        LocalDateTime begins = LocalDateTime.parse("2026-03-02T12:00");
        Blackout[] hourly = new Blackout[30 * 24 + 12];
        for (int hour = 0; hour < hourly.length; hour++) {
            hourly[hour] = from(begins.plusHours(hour), Duration.ofHours(1));
        }
        assertEquals(at("2026-03-02T12:00:00Z"), closedForAMonth(hourly));
        hourly[300] = hourly[299];
        assertEquals(Optional.empty(), closedForAMonth(hourly), "it is open for an hour");
    }

    @Test
    void aClosureAfterAnotherIsFoundToo() {
        assertEquals(
                at("2026-06-01T17:00:00Z"),
                closedForAMonth(
                        from(LocalDateTime.parse("2026-03-02T12:00"), Duration.ofDays(29)),
                        from(LocalDateTime.parse("2026-06-01T17:00"), MONTH.plusHours(1))));
    }

    @Test
    void invalidValuesAreRefusedWithTheReason() {
        Set<DayOfWeek> monday = Set.of(DayOfWeek.MONDAY);
        LocalTime noon = LocalTime.NOON;
        assertReason("must have a length", () -> new MaintenanceWindow(monday, noon, Duration.ZERO, BERLIN));
        assertReason("must have a length", () -> new MaintenanceWindow(monday, noon, Duration.ofHours(-1), BERLIN));
        assertReason("at most 7d", () -> new MaintenanceWindow(monday, noon, Duration.ofDays(8), BERLIN));
        assertReason("at least one day", () -> new MaintenanceWindow(Set.of(), noon, Duration.ofHours(1), BERLIN));
        assertReason(
                "ends before it begins",
                () -> new Blackout(LocalDate.of(2026, 12, 27), LocalDate.of(2026, 12, 24), BERLIN));
        assertReason("any, all, or 1", () -> ApprovalQuorum.some(0));
        assertReason("1 to 100 times", () -> new PostponementLimit(3, Duration.ZERO));
        assertReason("1 to 100 times", () -> new PostponementLimit(0, Duration.ofHours(1)));
    }

    private static void assertReason(String reason, org.junit.jupiter.api.function.Executable made) {
        String sentence = assertThrows(RefusedException.class, made).getMessage();
        assertTrue(sentence.contains(reason), sentence);
    }

    /** Over many zones and years: a window opens where its zone's clocks say, for as long as it says, and nowhere else. */
    @Test
    void theSearchFindsTheFirstOpenInstant() {
        Random random = new Random(1);
        List<String> zones = new ArrayList<>(ZoneId.getAvailableZoneIds());
        zones.sort(null);
        for (int i = 0; i < 4000; i++) {
            ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
            Set<DayOfWeek> days = EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)), DayOfWeek.of(1 + random.nextInt(7)));
            LocalTime start = LocalTime.of(random.nextInt(24), 15 * random.nextInt(4));
            Duration length = Duration.ofMinutes(15L * (1 + random.nextInt(200)));
            StartCalendar calendar =
                    new StartCalendar(List.of(new MaintenanceWindow(days, start, length, zone)), List.of());
            Instant from = Instant.ofEpochSecond(1_262_304_000L + 900L * random.nextInt(40 * 35_000));
            Instant found = WindowSearch.earliest(from, List.of(calendar)).orElseThrow();
            String story = calendar + " from " + from + " found " + found;
            assertFalse(found.isBefore(from), story);
            assertEquals(found, WindowSearch.earliest(found, List.of(calendar)).orElseThrow(), story);
            assertTrue(calendar.isOpen(found), story);
            for (Instant before = from; before.isBefore(found); before = before.plusSeconds(900)) {
                assertFalse(calendar.isOpen(before), story + ", but open at " + before);
            }
            if (found.isAfter(from)) {
                ZonedDateTime local = found.atZone(zone);
                boolean onTime = local.toLocalTime().equals(start) && days.contains(local.getDayOfWeek());
                ZonedDateTime named = ZonedDateTime.of(local.toLocalDate(), start, zone);
                boolean skipped = !named.toLocalTime().equals(start)
                        || !ZonedDateTime.of(local.toLocalDate().minusDays(1), start, zone)
                                .toLocalDate()
                                .equals(local.toLocalDate().minusDays(1));
                assertTrue(onTime || skipped, story);
                assertTrue(calendar.isOpen(found.plus(length).minusSeconds(1)), story);
            }
        }
    }
}
