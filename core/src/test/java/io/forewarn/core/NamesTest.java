package io.forewarn.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NamesTest {
    private static final List<String> KEYS = List.of("host", "name", "listen", "FrontEnd_IN_0", "FrontEnd_IN_10");

    @Test
    void aSlipOfTheFingerIsFound() {
        assertEquals(Optional.of("host"), Names.nearest("hots", KEYS));
        assertEquals(Optional.of("host"), Names.nearest("hst", KEYS));
        assertEquals(Optional.of("host"), Names.nearest("hosts", KEYS));
        assertEquals(Optional.of("name"), Names.nearest("nane", KEYS));
        assertEquals(Optional.of("FrontEnd_IN_0"), Names.nearest("frontend_in_9", KEYS));
        assertEquals(Optional.of("FrontEnd_IN_0"), Names.nearest("FontrEnd_IN_0", KEYS));
    }

    @Test
    void whatIsFarFromEverythingIsLeftAlone() {
        assertEquals(Optional.empty(), Names.nearest("addresses", KEYS));
        assertEquals(Optional.empty(), Names.nearest("", KEYS));
        assertEquals(Optional.empty(), Names.nearest("xyz", KEYS));
        assertEquals(Optional.empty(), Names.nearest("host", List.of()));
    }
}
