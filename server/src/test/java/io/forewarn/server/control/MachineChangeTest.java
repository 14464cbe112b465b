package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.wire.control.FleetReader;
import io.forewarn.wire.control.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A change of some members of a machine: {@code PUT /v1/machines/{name}?only=existing}. */
class MachineChangeTest {
    private static final Machine NOW = new Machine(
            new MachineId("shop", "m"), new GroupId("shop", "g"), 1, 1, "host-1", List.of(), "", false, Map.of(), 0);

    private static MachineSpec changed(String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        MachineSpec said =
                FleetReader.readOne("machine", "shop", "m", bytes).machines().get(0);
        return MachineChange.of(said, Json.members(bytes), NOW);
    }

    @Test
    void domainsChangeInBothSpellings() throws IOException {
        assertEquals(2, changed("{\"updateDomain\":2}").updateDomain());
        assertEquals(2, changed("{\"update-domain\":2}").updateDomain());
        assertEquals(0, changed("{\"faultDomain\":0}").faultDomain());
        assertEquals(0, changed("{\"fault-domain\":0}").faultDomain());
    }

    @Test
    void whatIsNotNamedStays() throws IOException {
        MachineSpec moved = changed("{\"host\":\"host-2\"}");
        assertEquals(1, moved.updateDomain());
        assertEquals(1, moved.faultDomain());
        assertEquals("host-2", moved.host());
        assertEquals(NOW.group(), moved.group());
    }
}
