package io.forewarn.server.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImpactSettingsTest {
    @Test
    void withoutSettingsWorkIsSimulatedAndTakesTheDocumentedTimes() {
        assertEquals(
                new ImpactSettings(
                        ImpactSettings.Driver.SIMULATED,
                        new ImpactSettings.Simulated(
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(90),
                                Duration.ofMinutes(3),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(5)),
                        new ImpactSettings.Program(
                                List.of(), Duration.ofMinutes(10), Duration.ofSeconds(30), Duration.ofSeconds(5), 8)),
                ImpactSettings.DEFAULTS);
    }
}
