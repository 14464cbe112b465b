package io.forewarn.wire.azure;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Formats times in Azure's two date formats. Fractions of a second are rounded up, so that no event starts before its
 * NotBefore.
 */
final class AzureDates {
    // The JDK's RFC_1123_DATE_TIME does not pad the day: contract §2.
    private static final DateTimeFormatter RFC_1123 = formatter("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ISO_8601 = formatter("uuuu-MM-dd'T'HH:mm:ss'Z'");

    private AzureDates() {}

    static String rfc1123(Instant time) {
        return RFC_1123.format(wholeSecond(time));
    }

    static String iso8601(Instant time) {
        return ISO_8601.format(wholeSecond(time));
    }

    private static Instant wholeSecond(Instant time) {
        Instant down = time.truncatedTo(ChronoUnit.SECONDS);
        return down.equals(time) ? down : down.plusSeconds(1);
    }

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
    }
}
