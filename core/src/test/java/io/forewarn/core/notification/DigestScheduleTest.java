package io.forewarn.core.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.notification.DigestSchedule.Frequency;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

final class DigestScheduleTest {
    private static final LocalTime MORNING = LocalTime.of(8, 0);

    private static String end(Frequency frequency, String zone, String at) {
        return new DigestSchedule(frequency, ZoneId.of(zone), MORNING)
                .end(Instant.parse(at))
                .toString();
    }

    @Test
    void anHourEndsAtTheFullHourOfTheZone() {
        assertEquals("2030-01-01T13:00:00Z", end(Frequency.HOURLY, "UTC", "2030-01-01T12:00:00Z"));
        assertEquals("2030-01-01T13:00:00Z", end(Frequency.HOURLY, "UTC", "2030-01-01T12:59:59.999Z"));
        assertEquals("2030-01-01T12:30:00Z", end(Frequency.HOURLY, "Asia/Kolkata", "2030-01-01T12:00:00Z"));
    }

    @Test
    void aDayEndsInTheMorningOfTheZone() {
        assertEquals("2030-01-02T07:00:00Z", end(Frequency.DAILY, "Europe/Berlin", "2030-01-01T07:00:00Z"));
        assertEquals("2030-01-01T07:00:00Z", end(Frequency.DAILY, "Europe/Berlin", "2030-01-01T06:59:59Z"));
    }

    @Test
    void aDayInWhichClocksChangeEndsInTheMorningToo() {
        assertEquals("2030-03-31T06:00:00Z", end(Frequency.DAILY, "Europe/Berlin", "2030-03-30T07:00:00Z"));
        assertEquals("2030-10-27T00:00:00Z", end(Frequency.HOURLY, "Europe/Berlin", "2030-10-26T23:30:00Z"));
        assertEquals("2030-10-27T01:00:00Z", end(Frequency.HOURLY, "Europe/Berlin", "2030-10-27T00:30:00Z"));
        assertEquals("2030-10-27T02:00:00Z", end(Frequency.HOURLY, "Europe/Berlin", "2030-10-27T01:30:00Z"));
    }

    @Test
    void whatIsSentAtOnceHasNoPeriod() {
        assertEquals("2030-01-01T12:00:01Z", end(Frequency.NOW, "UTC", "2030-01-01T12:00:01Z"));
    }
}
