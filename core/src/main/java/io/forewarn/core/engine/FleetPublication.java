package io.forewarn.core.engine;

import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.TenantUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A fleet change on its way into the published state. It is prepared group by group, which readers do not notice and which may
 * take many turns of the engine; publishing it at once then takes little more than setting the fields of the machines. The fleet
 * must not change in between.
 */
final class FleetPublication {
    /**
     * One group.
     *
     * @param view null if it is new
     * @param views of its machines, in fleet order; null for a new one
     */
    record Part(GroupChange change, GroupView view, MachineView[] views) {}

    private final PublishedState state;
    private final HostIndex.Draft hosts;
    private final List<Part> parts = new ArrayList<>();
    private final TenantUsage usage = new TenantUsage(new HashMap<>());
    private final Map<MachineId, Machine> left = new HashMap<>();
    private final Set<MachineId> arrived = new HashSet<>();
    private final Map<GroupId, List<Machine>> deserted = new HashMap<>();
    private final long version;
    private long bytes;

    FleetPublication(PublishedState state, HostIndex.Draft hosts) {
        this.state = state;
        this.hosts = hosts;
        this.version = state.fleetVersion();
    }

    /** Whether the fleet is still the one that it was prepared for. */
    boolean isCurrent() {
        return version == state.fleetVersion();
    }

    /** Prepares one group. Readers see nothing of it yet. */
    void prepare(GroupChange change) {
        GroupView view = state.find(change.id());
        Group group = view == null ? null : view.group();
        List<Machine> before = view == null ? List.of() : view.machines();
        String tenant = change.id().tenant();
        bytes -= usage.count(tenant, group, before, -1);
        bytes += usage.count(tenant, change.group(), change.machines(), +1);
        MachineView[] views = new MachineView[change.machines().size()];
        for (int i = 0; i < views.length; i++) {
            Machine machine = change.machines().get(i);
            views[i] = state.find(machine.id());
            Machine was = views[i] == null ? null : views[i].machine();
            if (was == null || !was.group().equals(change.id())) {
                arrived.add(machine.id());
            }
            if (was == null) {
                hosts.add(machine.host(), machine.id());
            } else if (!was.host().equals(machine.host())) {
                hosts.add(machine.host(), machine.id());
                hosts.remove(was.host(), machine.id());
            }
        }
        leave(change, before);
        parts.add(new Part(change, view, views));
    }

    private void leave(GroupChange change, List<Machine> before) {
        List<Machine> machines = change.machines();
        int same = 0;
        while (same < before.size()
                && same < machines.size()
                && before.get(same).id().equals(machines.get(same).id())) {
            same++;
        }
        if (same == before.size()) {
            return;
        }
        Set<MachineId> after = new HashSet<>();
        machines.subList(same, machines.size()).forEach(machine -> after.add(machine.id()));
        for (Machine machine : before.subList(same, before.size())) {
            if (!after.contains(machine.id())) {
                left.put(machine.id(), machine);
                deserted.put(change.id(), before);
            }
        }
    }

    /** Whether a machine is in the fleet no more; known when all groups are prepared. */
    boolean isGone(MachineId machine) {
        return left.containsKey(machine) && !arrived.contains(machine);
    }

    List<Part> parts() {
        return parts;
    }

    HostIndex.Draft hosts() {
        return hosts;
    }

    TenantUsage usage() {
        return usage;
    }

    /** By how much the estimated memory of the fleet grows. */
    long bytes() {
        return bytes;
    }

    /** The machines that are gone, as they were; called once, when all groups are prepared. */
    List<Machine> gone() {
        left.keySet().removeAll(arrived);
        left.values().forEach(machine -> hosts.remove(machine.host(), machine.id()));
        return List.copyOf(left.values());
    }

    /** The groups that some machine leaves, with the machines they had. */
    Map<GroupId, List<Machine>> deserted() {
        return deserted;
    }
}
