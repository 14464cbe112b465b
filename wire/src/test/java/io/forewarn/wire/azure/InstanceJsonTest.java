package io.forewarn.wire.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InstanceJsonTest {
    private static final GroupId SET = new GroupId("default", "set");
    private static final Machine MACHINE = new Machine(
            new MachineId("default", "set_5"),
            SET,
            3,
            1,
            "host-1",
            List.of("10.0.0.5", "fd00::5"),
            "",
            true,
            Map.of("env", "demo", "app", "web"));
    private final InstanceJson instance =
            new InstanceJson(MACHINE, new Group(SET, GroupKind.SCALE_SET, 5, 2), InstanceJson.Place.NOWHERE);

    @Test
    void everyNamedFieldIsThereAndEveryLeafIsAString() throws IOException {
        JsonNode compute = json("compute");
        for (String field : List.of(
                "name",
                "vmId",
                "location",
                "vmSize",
                "osType",
                "resourceGroupName",
                "subscriptionId",
                "vmScaleSetName",
                "placementGroupId",
                "platformUpdateDomain",
                "platformFaultDomain",
                "tags",
                "zone",
                "priority")) {
            assertTrue(compute.get(field).isTextual(), field);
        }
        assertEquals("set_5", compute.get("name").asText());
        assertEquals("3", compute.get("platformUpdateDomain").asText());
        assertEquals("Spot", compute.get("priority").asText());
        assertEquals("app:web;env:demo", compute.get("tags").asText());
        assertEquals("env", compute.at("/tagsList/1/name").asText());
        assertEquals("demo", compute.at("/tagsList/1/value").asText());
        allLeavesAreText(json(""));
    }

    @Test
    void aScaleSetMachineHasANumberedHostName() {
        assertEquals("set000005", text("compute/osProfile/computerName"));
        assertEquals("set00000A", InstanceJson.hostName("set_10"));
        assertEquals("plain", InstanceJson.hostName("plain"));
    }

    @Test
    void subPathsAndLeavesWork() throws IOException {
        assertEquals("10.0.0.5", text("network/interface/0/ipv4/ipAddress/0/privateIpAddress"));
        assertEquals(
                "10.0.0.5",
                json("network/interface/0/ipv4/ipAddress")
                        .at("/0/privateIpAddress")
                        .asText());
        assertEquals("fd00::5", text("network/interface/0/ipv6/ipAddress/0/privateIpAddress"));
        assertEquals(
                "\"set_5\"",
                new String(instance.at("compute/name", false).orElseThrow().body(), StandardCharsets.UTF_8));
        assertEquals("compute/\nnetwork/", text(""));
        assertTrue(instance.at("compute/nothing", false).isEmpty());
        assertTrue(instance.at("network/interface/1", false).isEmpty());
        assertTrue(instance.at("compute/name/more", true).isEmpty());
    }

    private static void allLeavesAreText(JsonNode node) {
        if (node.isContainerNode()) {
            node.forEach(InstanceJsonTest::allLeavesAreText);
        } else {
            assertTrue(node.isTextual(), node.toString());
        }
    }

    private JsonNode json(String path) throws IOException {
        return new ObjectMapper()
                .readTree(instance.at(path, false).orElseThrow().body());
    }

    private String text(String path) {
        return new String(instance.at(path, true).orElseThrow().body(), StandardCharsets.UTF_8);
    }
}
