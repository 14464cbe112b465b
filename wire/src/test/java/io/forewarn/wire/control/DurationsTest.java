package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DurationsTest {
    @Test
    void durationsAreSumsOfUnits() {
        assertEquals(Duration.ofSeconds(599), Durations.parse("9m59s").orElseThrow());
        assertEquals(Duration.ofHours(25), Durations.parse("25h").orElseThrow());
        assertEquals(Duration.ofDays(90), Durations.parse("90d").orElseThrow());
        assertEquals(Duration.ofMillis(1500), Durations.parse("1s500ms").orElseThrow());
        assertEquals(Duration.ZERO, Durations.parse("0").orElseThrow());
        assertEquals(Duration.ZERO, Durations.parse("0s").orElseThrow());
    }

    @Test
    void anythingElseIsNone() {
        for (String text : List.of("", "15", "m", "-5m", "1.5h", "5m1h", "5 m", "999999999999d", "PT5M")) {
            assertEquals(Optional.empty(), Durations.parse(text), text);
        }
    }

    @Test
    void printedValuesRoundTrip() {
        for (long millis : new long[] {0, 1, 999, 1000, 61_001, 86_400_000, 90_061_001L}) {
            Duration duration = Duration.ofMillis(millis);
            assertEquals(duration, Durations.parse(Durations.print(duration)).orElseThrow());
        }
    }
}
