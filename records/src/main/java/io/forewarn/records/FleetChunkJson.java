package io.forewarn.records;

import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.FleetChunk;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes chunks of the fleet: a group and some of its machines. The group is not repeated per machine, because
 * there may be a million machines.
 */
final class FleetChunkJson {
    private FleetChunkJson() {}

    static void write(JsonWriter out, FleetChunk chunk) throws IOException {
        Group group = chunk.group();
        out.text("group", group.id());
        out.constant("kind", group.kind());
        out.number("updateDomains", group.updateDomains());
        out.number("faultDomains", group.faultDomains());
        out.number("chunk", chunk.chunk());
        out.number("chunks", chunk.chunks());
        out.openList("machines");
        for (Machine machine : chunk.machines()) {
            write(out, machine, group.id());
        }
        out.closeList();
    }

    private static void write(JsonWriter out, Machine machine, GroupId group) throws IOException {
        if (!machine.group().equals(group) || !machine.id().tenant().equals(group.tenant())) {
            throw new IllegalArgumentException(
                    "Machine " + machine.id() + " of group " + machine.group() + " is not one of group " + group + ".");
        }
        out.open();
        out.text("name", machine.name());
        out.number("ud", machine.updateDomain());
        out.number("fd", machine.faultDomain());
        out.blankable("host", machine.host());
        out.texts("addresses", machine.addresses());
        out.blankable("listen", machine.listen());
        out.flag("spot", machine.spot());
        out.texts("tags", machine.tags());
        if (machine.placement() != 0) {
            out.number("placement", machine.placement());
        }
        out.close();
    }

    static FleetChunk read(JsonReader in) throws IOException {
        GroupId id = null;
        GroupKind kind = null;
        Integer updateDomains = null;
        Integer faultDomains = null;
        Integer chunk = null;
        Integer chunks = null;
        List<Machine> machines = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "group" -> id = in.groupId();
                case "kind" -> kind = in.constant(GroupKind.class);
                case "updateDomains" -> updateDomains = in.number();
                case "faultDomains" -> faultDomains = in.number();
                case "chunk" -> chunk = in.number();
                case "chunks" -> chunks = in.number();
                case "machines" -> {
                    GroupId group = DamagedRecordException.unlessNull(id, "group");
                    machines = in.list(machine -> machine(machine, group));
                }
                default -> in.skip();
            }
        }
        Group group = new Group(
                DamagedRecordException.unlessNull(id, "group"),
                DamagedRecordException.unlessNull(kind, "kind"),
                DamagedRecordException.unlessNull(updateDomains, "updateDomains"),
                DamagedRecordException.unlessNull(faultDomains, "faultDomains"));
        return new FleetChunk(
                group,
                DamagedRecordException.unlessNull(chunk, "chunk"),
                DamagedRecordException.unlessNull(chunks, "chunks"),
                DamagedRecordException.unlessNull(machines, "machines"));
    }

    private static Machine machine(JsonReader in, GroupId group) throws IOException {
        String machine = null;
        Integer updateDomain = null;
        Integer faultDomain = null;
        String host = "";
        List<String> addresses = List.of();
        String listen = "";
        boolean spot = false;
        Map<String, String> tags = Map.of();
        int placement = 0;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "name" -> machine = in.text();
                case "ud" -> updateDomain = in.number();
                case "fd" -> faultDomain = in.number();
                case "host" -> host = in.sharedText();
                case "addresses" -> addresses = in.list(JsonReader::text);
                case "listen" -> listen = in.text();
                case "spot" -> spot = in.flag();
                case "tags" -> tags = in.sharedMap();
                case "placement" -> placement = in.number();
                default -> in.skip();
            }
        }
        return new Machine(
                new MachineId(group.tenant(), DamagedRecordException.unlessNull(machine, "name")),
                group,
                DamagedRecordException.unlessNull(updateDomain, "ud"),
                DamagedRecordException.unlessNull(faultDomain, "fd"),
                host,
                addresses,
                listen,
                spot,
                tags,
                placement);
    }
}
