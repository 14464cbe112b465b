package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reads what {@code docs/fleet.md} prints. */
final class FleetPageTest {
    private final String page = Files.readString(Path.of("../docs/fleet.md"));

    FleetPageTest() throws IOException {}

    @Test
    void bothExamplesAreTheSameFleet() throws IOException {
        FleetSpec yaml = read("yaml");
        FleetSpec lines = read("json");
        assertEquals(3, yaml.machines().size());
        assertEquals(
                yaml.groups().stream().map(FleetPageTest::anywhere).toList(),
                lines.groups().stream().map(FleetPageTest::anywhere).toList());
        assertEquals(
                yaml.machines().stream().map(FleetPageTest::anywhere).toList(),
                lines.machines().stream().map(FleetPageTest::anywhere).toList());
    }

    @Test
    void everyKeyIsDescribed() {
        List.of(FleetReader.GROUP, FleetReader.MACHINE)
                .forEach(keys -> keys.forEach(key -> assertTrue(page.contains("\n| `" + key + "` |"), key)));
        String machines = page.substring(page.indexOf("## Keys of a machine"));
        FleetReader.MACHINE.forEach(key -> assertTrue(machines.contains("\n| `" + key + "` |"), key));
    }

    private FleetSpec read(String language) throws IOException {
        Matcher block = Pattern.compile("(?s)```" + language + "\n(.*?)```").matcher(page);
        assertTrue(block.find(), language);
        return FleetReader.read(new ByteArrayInputStream(block.group(1).getBytes(StandardCharsets.UTF_8)), "default");
    }

    private static GroupSpec anywhere(GroupSpec spec) {
        return new GroupSpec(0, spec.id(), spec.kind(), spec.updateDomains(), spec.faultDomains());
    }

    private static MachineSpec anywhere(MachineSpec spec) {
        return new MachineSpec(
                0,
                spec.id(),
                spec.group(),
                spec.updateDomain(),
                spec.faultDomain(),
                spec.host(),
                spec.addresses(),
                spec.listen(),
                spec.spot(),
                spec.tags());
    }
}
