package io.forewarn.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.policy.ClosedTimes.Span;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosedTimesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant FROM = Instant.parse("2026-03-27T00:00:00Z");
    private static final Instant UNTIL = Instant.parse("2026-03-31T00:00:00Z");

    private final ClosedTimes times = new ClosedTimes(FROM, UNTIL);

    private static MaintenanceWindow daily(int hour, int hours) {
        return new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(hour, 0), Duration.ofHours(hours), BERLIN);
    }

    @Test
    void whereNoWindowIsSetNothingIsClosed() {
        assertEquals(List.of(), times.between(List.of()));
    }

    @Test
    void theTimesBetweenWindowsAreExactlyThoseAtWhichTheCalendarIsClosed() {
        List<MaintenanceWindow> windows = List.of(daily(22, 4), daily(1, 2), daily(12, 1));
        StartCalendar calendar = new StartCalendar(windows, List.of());
        List<Span> closed = times.between(windows);
        // Over the night in which the clocks of Berlin are put forward.
        for (Instant at = FROM; at.isBefore(UNTIL); at = at.plusSeconds(900)) {
            Instant now = at;
            boolean listed = closed.stream()
                    .anyMatch(s -> !s.from().isAfter(now) && s.until().isAfter(now));
            assertEquals(!calendar.isOpen(at), listed, at + " in " + closed);
        }
    }

    @Test
    void blackoutsThatOverlapAreOneAndAreCutOff() {
        Blackout first =
                new Blackout(LocalDateTime.parse("2026-03-20T00:00"), LocalDateTime.parse("2026-03-28T12:00"), BERLIN);
        Blackout second =
                new Blackout(LocalDateTime.parse("2026-03-28T10:00"), LocalDateTime.parse("2026-03-28T18:00"), BERLIN);
        assertEquals(List.of(new Span(FROM, Instant.parse("2026-03-28T17:00:00Z"))), times.of(List.of(second, first)));
    }
}
