package io.forewarn.core.event;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The same from Scheduled to gone. Written in upper case, read without regard to case. */
public record EventId(UUID uuid) {
    private static final Pattern GUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    public static Optional<EventId> parse(String text) {
        return GUID.matcher(text).matches() ? Optional.of(new EventId(UUID.fromString(text))) : Optional.empty();
    }

    @Override
    public String toString() {
        return uuid.toString().toUpperCase(Locale.ROOT);
    }
}
