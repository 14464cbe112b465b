package io.forewarn.server.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockTextTest {
    @Test
    void durationsUseTheLargestUnits() {
        assertEquals("400d", ClockText.rough(Duration.ofDays(400).minusMillis(20)));
        assertEquals("400d", ClockText.rough(Duration.ofDays(400).plusSeconds(100)));
        assertEquals("1d2h", ClockText.rough(Duration.ofHours(26)));
        assertEquals("1h", ClockText.rough(Duration.ofHours(1).minusMillis(3)));
        assertEquals("12m30s", ClockText.rough(Duration.ofSeconds(750)));
        assertEquals("2s", ClockText.rough(Duration.ofMillis(1600)));
        assertEquals("30ms", ClockText.rough(Duration.ofMillis(30)));
        assertEquals("-3m", ClockText.signed(Duration.ofMinutes(-3)));
        assertEquals("3m behind", ClockText.off(Duration.ofMinutes(-3)));
    }
}
