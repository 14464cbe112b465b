package io.forewarn.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Event ids as text. */
class EventIdTest {
    @Test
    void isWrittenInUpperCaseAndParsedInAny() {
        Random random = new Random(16);
        for (int i = 0; i < 1000; i++) {
            UUID uuid = new UUID(random.nextLong(), random.nextLong());
            EventId id = new EventId(uuid);
            assertEquals(uuid.toString().toUpperCase(Locale.ROOT), id.toString());
            assertEquals(Optional.of(id), EventId.parse(id.toString()));
            assertEquals(Optional.of(id), EventId.parse(uuid.toString()));
        }
    }

    @Test
    void nothingElseIsAnId() {
        String id = "602D9444-D2CD-49C7-8624-8643E7171297";
        for (String text : List.of(
                "",
                id.substring(1),
                id + "0",
                " " + id.substring(1),
                id.replace("-", ""),
                id.replace('-', '_'),
                id.replace('D', 'G'),
                id.replace('D', '@'),
                id.replace('D', '`'),
                id.replace('9', '\u0669'),
                id.replace('4', '/'),
                id.replace('4', ':'),
                "602D944-4D2CD-49C7-8624-8643E7171297")) {
            assertEquals(Optional.empty(), EventId.parse(text), text);
        }
    }
}
