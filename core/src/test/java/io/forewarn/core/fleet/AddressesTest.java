package io.forewarn.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.5, 10.0.0.5",
        "255.255.255.255, 255.255.255.255",
        "0.0.0.0, 0.0.0.0",
        "FD00:0:0:0:0:0:0:5, fd00::5",
        "::1, ::1",
        "0:0:0:0:0:0:0:0, ::",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "::ffff:10.0.0.5, 10.0.0.5",
        "fe80::1:0:0, fe80::1:0:0",
    })
    void everyAddressHasOneSpelling(String text, String canonical) {
        assertEquals(Optional.of(canonical), Addresses.canonical(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "1.2.3",
                "1.2.3.4.5",
                "256.1.1.1",
                "1..2.3",
                ".1.2.3",
                "1.2.3.",
                "1.2.3.4x",
                "00.0.0.0",
                "1000.0.0.1",
                "1.2.3.4.",
                "10.0.0.05",
                "010.0.0.5",
                "fd00::g",
                ":",
                "1::2::3",
                "10.0.0.0/8"
            })
    void invalidAddressesHaveNoCanonicalForm(String text) {
        assertEquals(Optional.empty(), Addresses.canonical(text));
    }

    @Test
    void aNameIsNeverLookedUp() {
        assertEquals(Optional.empty(), Addresses.canonical("localhost"));
    }
}
