package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FleetWriterTest {
    private static final GroupId WEB = new GroupId("shop", "yes");

    @ParameterizedTest
    @EnumSource(FleetWriter.Style.class)
    void writtenRecordsRoundTrip(FleetWriter.Style style) throws IOException {
        Machine machine = new Machine(
                new MachineId("shop", "007"),
                WEB,
                3,
                1,
                "host, {1}",
                List.of("10.0.0.1", "fe80::1"),
                "127.0.0.1:9000",
                true,
                Map.of("a: b", "\"quoted\" \\ #\n", "null", "1e3", "empty", ""));
        StringBuilder file = new StringBuilder();
        FleetWriter writer = new FleetWriter(file, style);
        writer.group(new Group(WEB, GroupKind.SCALE_SET, 7, 2));
        writer.machine(machine, false);

        FleetSpec spec =
                FleetReader.read(new ByteArrayInputStream(file.toString().getBytes(StandardCharsets.UTF_8)), "default");
        assertEquals(WEB, spec.groups().get(0).id());
        assertEquals(GroupKind.SCALE_SET, spec.groups().get(0).kind());
        assertEquals(7, spec.groups().get(0).updateDomains());
        MachineSpec read = spec.machines().get(0);
        assertEquals(
                machine,
                new Machine(
                        read.id(),
                        read.group(),
                        read.updateDomain(),
                        read.faultDomain(),
                        read.host(),
                        read.addresses(),
                        read.listen(),
                        read.spot(),
                        read.tags()));
    }

    @Test
    void aMachineAloneNeedsNoGroup() {
        GroupId id = new GroupId("default", "db");
        Group single = new Group(id, GroupKind.SINGLE, 1, 1);
        Machine db = new Machine(new MachineId("default", "db"), id, 0, 0, "", List.of(), "", false, Map.of());
        Machine other = new Machine(new MachineId("default", "x"), id, 0, 0, "", List.of(), "", false, Map.of());
        assertTrue(FleetWriter.implied(single, List.of(db)));
        assertFalse(FleetWriter.implied(single, List.of(other)));
        assertFalse(FleetWriter.implied(single, List.of()));
    }

    @Test
    void theDemoFleetIsWhatTheReadmeSays() {
        FleetSpec demo = DemoFleet.spec();
        assertEquals(
                List.of("FrontEnd_IN_0", "FrontEnd_IN_1", "FrontEnd_IN_2", "BackEnd_IN_0", "BackEnd_IN_1"),
                demo.machines().stream().map(m -> m.id().name()).limit(5).toList());
        assertEquals(List.of("127.0.0.1"), demo.machines().get(0).addresses());
        assertEquals(9, demo.machines().size());
    }
}
