package io.forewarn.core.event;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** Identifies an event throughout its lifecycle. Written in upper case, parsed case-insensitively. */
public record EventId(UUID uuid) {
    private static final byte[] DIGITS = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH = 36;

    public static Optional<EventId> parse(String text) {
        if (text.length() != LENGTH) {
            return Optional.empty();
        }
        long[] halves = new long[2];
        int digits = 0;
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') {
                    return Optional.empty();
                }
                continue;
            }
            int digit = digit(c);
            if (digit < 0) {
                return Optional.empty();
            }
            halves[digits / 16] = halves[digits / 16] << 4 | digit;
            digits++;
        }
        return Optional.of(new EventId(new UUID(halves[0], halves[1])));
    }

    /** -1 if it is none; only ASCII counts. */
    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = (c | 0x20) - 'a';
        return letter >= 0 && letter < 6 ? letter + 10 : -1;
    }

    @Override
    public String toString() {
        // Called for every record and history entry: avoids a second copy for the upper case.
        byte[] text = new byte[LENGTH];
        int at = 0;
        for (int digit = 0; digit < 32; digit++) {
            if (digit == 8 || digit == 12 || digit == 16 || digit == 20) {
                text[at++] = '-';
            }
            long half = digit < 16 ? uuid.getMostSignificantBits() : uuid.getLeastSignificantBits();
            text[at++] = DIGITS[(int) (half >>> 60 - 4 * (digit % 16)) & 15];
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
