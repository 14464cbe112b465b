package io.forewarn.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NameRulesTest {
    private static final List<String> KEYS = List.of("host", "name", "listen", "FrontEnd_IN_0", "FrontEnd_IN_10");

    @Test
    void aTypingErrorIsRecognized() {
        assertEquals(Optional.of("host"), NameRules.nearest("hots", KEYS));
        assertEquals(Optional.of("host"), NameRules.nearest("hst", KEYS));
        assertEquals(Optional.of("host"), NameRules.nearest("hosts", KEYS));
        assertEquals(Optional.of("name"), NameRules.nearest("nane", KEYS));
        assertEquals(Optional.of("FrontEnd_IN_0"), NameRules.nearest("frontend_in_9", KEYS));
        assertEquals(Optional.of("FrontEnd_IN_0"), NameRules.nearest("FontrEnd_IN_0", KEYS));
    }

    @Test
    void dissimilarNamesGetNoSuggestion() {
        assertEquals(Optional.empty(), NameRules.nearest("addresses", KEYS));
        assertEquals(Optional.empty(), NameRules.nearest("", KEYS));
        assertEquals(Optional.empty(), NameRules.nearest("xyz", KEYS));
        assertEquals(Optional.empty(), NameRules.nearest("host", List.of()));
    }
}
