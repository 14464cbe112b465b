package io.forewarn.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@link InstantText} agrees with the JDK. */
class InstantTextTest {
    private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private static void agrees(Instant instant) {
        String text = instant.toString();
        assertEquals(text, InstantText.of(instant));
        assertEquals(instant, InstantText.parse(text));
    }

    @Test
    void randomInstantsAgree() {
        Random random = new Random(16);
        int[] units = {1, 1000, 1_000_000, 1_000_000_000};
        for (int i = 0; i < 200_000; i++) {
            int unit = units[random.nextInt(units.length)];
            long second = FIRST + Math.floorMod(random.nextLong(), LAST - FIRST);
            agrees(Instant.ofEpochSecond(second, random.nextInt(1_000_000_000) / unit * (long) unit));
        }
    }

    @Test
    void everyDayOfSomeYearsAgrees() {
        for (int year : new int[] {0, 1, 4, 100, 400, 1600, 1900, 1969, 1970, 2000, 2024, 2025, 2100, 9999}) {
            Instant day = Instant.parse(String.format("%04d-01-01T00:00:00Z", year));
            for (int i = 0; i < 365; i++) {
                agrees(day.plusSeconds(86_400L * i));
                agrees(day.plusSeconds(86_400L * i + 86_399).plusNanos(999_999_999));
            }
        }
    }

    @Test
    void instantsOutsideFourDigitsAgree() {
        for (Instant instant : List.of(
                Instant.MIN,
                Instant.MAX,
                Instant.EPOCH,
                Instant.parse("-0001-12-31T23:59:59Z"),
                Instant.parse("+10000-01-01T00:00:00Z"))) {
            agrees(instant);
        }
    }

    @Test
    void unusualTextsAreReadAsTheJdkReadsThem() {
        for (String text : List.of(
                "2026-01-31T24:00:00Z",
                "2016-12-31T23:59:60Z",
                "2026-01-02T03:04:05.1Z",
                "2026-01-02T03:04:05.12345678Z",
                "2026-01-02T03:04:05.000000000Z",
                "2024-02-29T00:00:00Z",
                "2026-01-02t03:04:05z")) {
            assertEquals(Instant.parse(text), InstantText.parse(text), text);
        }
    }

    @Test
    void whatIsNoInstantIsRefused() {
        for (String text : List.of(
                "",
                "Z",
                "2026-01-02",
                "2026-01-02T03:04:05",
                "2026-02-29T00:00:00Z",
                "2026-13-02T03:04:05Z",
                "2026-01-02T25:04:05Z",
                "2026-01-02T03:60:05Z",
                "2026-01-02T03:04:05,5Z",
                "2026-01-02T03:04:05.-5Z",
                "2026-01-02T03:04:05.1234567890Z",
                "2026-01-0\u0662T03:04:05Z",
                "2026/01/02T03:04:05Z")) {
            assertThrows(DateTimeParseException.class, () -> InstantText.parse(text), text);
        }
    }
}
