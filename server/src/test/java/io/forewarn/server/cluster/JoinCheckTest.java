package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.wire.control.EnumNames;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JoinCheckTest {
    private static String about(Kind clock) {
        return new NodeInfo("10.0.0.1:80", "a-life", "0.1", 1, EnumNames.of(clock), null).text();
    }

    @Test
    void aNodeWithAnotherClockKindMayNotJoin() {
        Map<String, String> others = Map.of("10.0.0.2:8170", about(Kind.MANUAL));
        new JoinCheck("10.0.0.1:8170", Kind.MANUAL).look(others);
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> new JoinCheck("10.0.0.1:8170", Kind.SYSTEM).look(others));
        assertTrue(refusal.getMessage().contains("10.0.0.2:8170"), refusal.getMessage());
    }

    @Test
    void aNodeWithoutAClockKindCountsAsSystemClock() {
        Map<String, String> old = Map.of("10.0.0.2:8170", "{\"metadata\":\"10.0.0.2:80\"}");
        new JoinCheck("10.0.0.1:8170", Kind.SYSTEM).look(old);
        assertThrows(RefusedException.class, () -> new JoinCheck("10.0.0.1:8170", Kind.MANUAL).look(old));
    }

    @Test
    void aNodesOwnEntryDoesNotPreventItFromJoining() {
        new JoinCheck("10.0.0.1:8170", Kind.SYSTEM).look(Map.of("10.0.0.1:8170", about(Kind.MANUAL)));
    }
}
