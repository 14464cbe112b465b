package io.forewarn.core;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Writes and parses instants in ISO 8601 exactly as {@link Instant#toString} and {@link Instant#parse} do, which take several
 * times as long. Every record and log line contains some.
 */
public final class InstantText {
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int NANO_DIGITS = 9;
    /** Up to the fraction: 2026-01-31T23:59:59. */
    private static final int WHOLE = 19;
    /** 0000-03-01 and 9999-12-31, in days since 1970: all years between have four digits. */
    private static final long FIRST_DAY = -719_468;

    private static final long LAST_DAY = 2_932_896;
    /** From 0000-03-01 to 1970-01-01. */
    private static final int DAYS_TO_EPOCH = 719_468;

    private static final int DAYS_PER_ERA = 146_097;

    private InstantText() {}

    public static String of(Instant instant) {
        long day = Math.floorDiv(instant.getEpochSecond(), (long) SECONDS_PER_DAY);
        if (day < FIRST_DAY || day > LAST_DAY) {
            return instant.toString();
        }
        byte[] text = new byte[WHOLE + 1 + NANO_DIGITS + 1];
        date(text, (int) day + DAYS_TO_EPOCH);
        int second = (int) Math.floorMod(instant.getEpochSecond(), (long) SECONDS_PER_DAY);
        text[10] = 'T';
        two(text, 11, second / 3600);
        text[13] = ':';
        two(text, 14, second / 60 % 60);
        text[16] = ':';
        two(text, 17, second % 60);
        int end = fraction(text, instant.getNano());
        text[end] = 'Z';
        return new String(text, 0, end + 1, StandardCharsets.ISO_8859_1);
    }

    /** Years are counted from March, so that the leap day is the last of its year. */
    private static void date(byte[] text, int sinceMarch) {
        int era = sinceMarch / DAYS_PER_ERA;
        int ofEra = sinceMarch % DAYS_PER_ERA;
        int yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int month = (5 * ofYear + 2) / 153;
        int year = 400 * era + yearOfEra + (month < 10 ? 0 : 1);
        two(text, 0, year / 100);
        two(text, 2, year % 100);
        text[4] = '-';
        two(text, 5, month < 10 ? month + 3 : month - 9);
        text[7] = '-';
        two(text, 8, ofYear - (153 * month + 2) / 5 + 1);
    }

    /** In groups of three digits, as few as are exact. */
    private static int fraction(byte[] text, int nanos) {
        if (nanos == 0) {
            return WHOLE;
        }
        text[WHOLE] = '.';
        int rest = nanos;
        for (int i = NANO_DIGITS; i > 0; i--) {
            text[WHOLE + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        int digits = nanos % 1_000_000 == 0 ? 3 : nanos % 1000 == 0 ? 6 : NANO_DIGITS;
        return WHOLE + 1 + digits;
    }

    private static void two(byte[] text, int at, int number) {
        text[at] = (byte) ('0' + number / 10);
        text[at + 1] = (byte) ('0' + number % 10);
    }

    /** @throws DateTimeParseException if it is not an instant */
    public static Instant parse(String text) {
        int end = text.length() - 1;
        int nanos = end < WHOLE || text.charAt(end) != 'Z' ? -1 : nanos(text, end);
        if (nanos < 0
                || text.charAt(4) != '-'
                || text.charAt(7) != '-'
                || text.charAt(10) != 'T'
                || text.charAt(13) != ':'
                || text.charAt(16) != ':') {
            return Instant.parse(text);
        }
        int century = number(text, 0, 2);
        int year = number(text, 2, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, WHOLE);
        boolean usual = century >= 0
                && year >= 0
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= 28
                && hour >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second < 60;
        if (!usual) {
            return Instant.parse(text); // The last days of a month, and what is wrong.
        }
        int ofDay = hour * 3600 + minute * 60 + second;
        return Instant.ofEpochSecond(epochDay(100 * century + year, month, day) * SECONDS_PER_DAY + ofDay, nanos);
    }

    private static long epochDay(int year, int month, int day) {
        int since = month > 2 ? year : year - 1;
        int era = Math.floorDiv(since, 400);
        int yearOfEra = since - era * 400;
        int ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear;
        return (long) era * DAYS_PER_ERA + ofEra - DAYS_TO_EPOCH;
    }

    /** Of the fraction; -1 if there is something else. */
    private static int nanos(String text, int end) {
        if (end == WHOLE) {
            return 0;
        }
        int digits = end - WHOLE - 1;
        if (text.charAt(WHOLE) != '.' || digits < 1 || digits > NANO_DIGITS) {
            return -1;
        }
        int nanos = number(text, WHOLE + 1, end);
        for (int i = digits; i < NANO_DIGITS && nanos > 0; i++) {
            nanos *= 10;
        }
        return nanos;
    }

    /** -1 if it is none. */
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
