package io.forewarn.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NameRulesTest {
    private static final List<String> KEYS = List.of("host", "name", "listen", "FrontEnd_IN_0", "FrontEnd_IN_10");

    @ParameterizedTest
    @ValueSource(strings = {"a", "_", "0", "Web_1.eu-west", "a.", "a-"})
    void lettersDigitsDotsUnderscoresAndHyphensMakeAName(String name) {
        assertTrue(NameRules.valid(name));
        assertTrue(NameRules.validHost(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".a", "-a", "a b", "a/b", "a\n", "é", "a#1", "*"})
    void nothingElseDoes(String name) {
        assertFalse(NameRules.valid(name));
        assertFalse(NameRules.validHost(name));
    }

    @Test
    void aNameHasAtMost63CharactersAndAHost253() {
        assertTrue(NameRules.valid("a".repeat(63)));
        assertFalse(NameRules.valid("a".repeat(64)));
        assertTrue(NameRules.validHost("a".repeat(253)));
        assertFalse(NameRules.validHost("a".repeat(254)));
    }

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
