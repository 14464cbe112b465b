package io.forewarn.server.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forewarn.core.RefusedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverSettingsTest {
    @Test
    void withoutSettingsWorkIsSimulatedAndTakesTheDocumentedTimes() {
        assertEquals(
                new DriverSettings(
                        DriverSettings.Kind.SIMULATED,
                        new DriverSettings.Simulated(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(90),
                                Duration.ofMinutes(3),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(5)),
                        new DriverSettings.Program(
                                List.of(),
                                Duration.ofMinutes(10),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(5),
                                8,
                                List.of())),
                DriverSettings.DEFAULTS);
    }

    @Test
    void aCommandDriverWithoutAProgramIsRefused() {
        RefusedException refusal = assertThrows(
                RefusedException.class,
                () -> new DriverSettings(
                        DriverSettings.Kind.COMMAND,
                        DriverSettings.Simulated.DEFAULTS,
                        DriverSettings.Program.DEFAULTS));

        assertEquals(ProgramCheck.NO_PROGRAM, refusal.getMessage());
    }

    @Test
    void limitsThatWouldLetNothingHappenAreRefused() {
        Duration some = Duration.ofSeconds(1);
        assertThrows(
                RefusedException.class, () -> new DriverSettings.Program(List.of("x"), some, some, some, 0, List.of()));
        assertThrows(
                RefusedException.class,
                () -> new DriverSettings.Program(List.of("x"), Duration.ZERO, some, some, 1, List.of()));
        assertThrows(
                RefusedException.class,
                () -> new DriverSettings.Program(List.of("x"), some, some, some, 1, List.of("A=B")));
    }
}
