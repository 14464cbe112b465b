package io.forewarn.core.event;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Identifies an event throughout its lifecycle. Written in upper case, parsed case-insensitively. */
public record EventId(UUID uuid) {
    private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();
    private static final Pattern GUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    public static Optional<EventId> parse(String text) {
        return GUID.matcher(text).matches() ? Optional.of(new EventId(UUID.fromString(text))) : Optional.empty();
    }

    @Override
    public String toString() {
        // Called for every record and history entry: avoids a second copy for the upper case.
        char[] text = new char[36];
        int at = 0;
        for (int digit = 0; digit < 32; digit++) {
            if (digit == 8 || digit == 12 || digit == 16 || digit == 20) {
                text[at++] = '-';
            }
            long half = digit < 16 ? uuid.getMostSignificantBits() : uuid.getLeastSignificantBits();
            text[at++] = DIGITS[(int) (half >>> 60 - 4 * (digit % 16)) & 15];
        }
        return new String(text);
    }
}
