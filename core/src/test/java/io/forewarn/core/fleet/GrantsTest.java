package io.forewarn.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GrantsTest {
    @Test
    void aRangeHoldsTheAddressesOfItsPrefix() {
        AddressRange range = AddressRange.parse("10.1.128.0/17").orElseThrow();
        assertTrue(range.contains("10.1.128.0"));
        assertTrue(range.contains("10.1.255.255"));
        assertFalse(range.contains("10.1.127.255"));
        assertFalse(range.contains("::a01:8000"));
        assertTrue(AddressRange.parse("0.0.0.0/0").orElseThrow().contains("255.255.255.255"));
        assertFalse(AddressRange.parse("::/0").orElseThrow().contains("10.0.0.1"));
        assertTrue(AddressRange.parse("10.0.0.7").orElseThrow().contains("10.0.0.7"));
        assertFalse(AddressRange.parse("10.0.0.7").orElseThrow().contains("10.0.0.6"));
        assertTrue(AddressRange.parse("FD00:0::/8").orElseThrow().contains("fdff::1"));
        assertEquals("fd00::/8", AddressRange.parse("FD00:0::/8").orElseThrow().toString());
    }

    @Test
    void invalidRangesAreNotAccepted() {
        for (String text :
                List.of("", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.1.2.3/16", "host/8", "::/129", "10.0.0/8")) {
            assertTrue(AddressRange.parse(text).isEmpty(), text);
        }
    }

    @Test
    void aPatternMatchesAsARegularExpressionWould() {
        Random random = new Random(7);
        for (int i = 0; i < 50_000; i++) {
            String pattern = text(random, "ab*?");
            String host = text(random, "ab");
            String regex = pattern.replace("*", ".*").replace("?", ".");
            assertEquals(
                    Pattern.matches(regex, host), new NamePattern(pattern).matches(host), pattern + " against " + host);
        }
        assertFalse(new NamePattern("a.c").matches("abc"));
    }

    /** A pattern with many stars costs the product of the lengths; tried star by star it would never end. */
    @Test
    void noPatternTakesForever() {
        assertFalse(new NamePattern("*a".repeat(128) + "b").matches("a".repeat(1024)));
    }

    private static String text(Random random, String letters) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(8); length > 0; length--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
