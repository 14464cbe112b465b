package io.forewarn.server.control;

import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.StateReader;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.FleetChangeBody;
import io.forewarn.wire.control.FleetWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Computes what a change of the fleet adds, changes, moves and removes: counts all, names the first. */
final class FleetDifference {
    private static final int MOST_NAMED = 1000;

    private final List<FleetChangeBody> named = new ArrayList<>();
    private final Map<String, Integer> totals = new TreeMap<>();

    static FleetDifference of(StateReader before, FleetChange change) {
        FleetDifference difference = new FleetDifference();
        Set<MachineId> left = new HashSet<>();
        Set<MachineId> arrived = new HashSet<>();
        for (GroupChange group : change.groups()) {
            List<Machine> had = before.machines(group.id());
            difference.group(before.group(group.id()).orElse(null), had, group);
            Set<MachineId> leaving = new HashSet<>();
            had.forEach(machine -> leaving.add(machine.id()));
            for (Machine after : group.machines()) {
                if (!leaving.remove(after.id())) {
                    arrived.add(after.id());
                }
            }
            left.addAll(leaving);
        }
        for (GroupChange group : change.groups()) {
            for (Machine after : group.machines()) {
                difference.machine(before.machine(after.id()), after);
            }
        }
        left.stream()
                .filter(id -> !arrived.contains(id))
                .sorted()
                .forEach(id -> difference.add("removed", "machine", id.tenant(), id.name(), null));
        return difference;
    }

    /** Whether it is small enough to be remembered. */
    boolean isShort() {
        return named.size() <= 100;
    }

    CommandResultBody outcome(int changes) {
        return new CommandResultBody(List.of(), changes, named, totals);
    }

    private void group(Group before, List<Machine> had, GroupChange change) {
        Group after = change.group();
        // The implied group of a single machine is not reported; the change of its machine is.
        boolean wasNamed = before != null && !FleetWriter.implied(before, had);
        boolean isNamed = after != null && !FleetWriter.implied(after, change.machines());
        String tenant = change.id().tenant();
        String name = change.id().name();
        if (isNamed && before == null) {
            add("added", "group", tenant, name, null);
        } else if (wasNamed && after == null) {
            add("removed", "group", tenant, name, null);
        } else if (before != null && after != null && !before.equals(after)) {
            List<String> details = new ArrayList<>();
            differs(details, "kind", EnumNames.of(before.kind()), EnumNames.of(after.kind()));
            differs(details, "update-domains", before.updateDomains(), after.updateDomains());
            differs(details, "fault-domains", before.faultDomains(), after.faultDomains());
            add("changed", "group", tenant, name, details);
        }
    }

    private void machine(Optional<Machine> known, Machine after) {
        if (known.isEmpty()) {
            add("added", "machine", after.id().tenant(), after.name(), null);
            return;
        }
        Machine before = known.get();
        if (named.size() >= MOST_NAMED) {
            boolean stays = before.host().equals(after.host()) && before.group().equals(after.group());
            if (!stays || !before.equals(after)) {
                add(stays ? "changed" : "moved", "machine", after.id().tenant(), after.name(), null);
            }
            return;
        }
        List<String> details = new ArrayList<>();
        differs(details, "group", before.group().name(), after.group().name());
        differs(details, "host", before.host(), after.host());
        boolean moved = !details.isEmpty();
        differs(details, "update-domain", before.updateDomain(), after.updateDomain());
        differs(details, "fault-domain", before.faultDomain(), after.faultDomain());
        differs(details, "addresses", before.addresses(), after.addresses());
        differs(details, "listen", before.listen(), after.listen());
        differs(details, "spot", before.spot(), after.spot());
        tags(details, before.tags(), after.tags());
        if (!details.isEmpty()) {
            add(moved ? "moved" : "changed", "machine", after.id().tenant(), after.name(), details);
        }
    }

    private static void tags(List<String> details, Map<String, String> before, Map<String, String> after) {
        TreeSet<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.forEach(key -> differs(details, "tag " + key, before.get(key), after.get(key)));
    }

    private static void differs(List<String> details, String what, Object before, Object after) {
        if (before == null ? after != null : !before.equals(after)) {
            details.add(what + ": " + text(before) + " -> " + text(after));
        }
    }

    private static String text(Object value) {
        boolean none = value == null || value.toString().isEmpty() || value.equals(List.of());
        return none
                ? "none"
                : value instanceof List<?> several
                        ? String.join(
                                ",", several.stream().map(Object::toString).toList())
                        : value.toString();
    }

    private void add(String what, String kind, String tenant, String name, List<String> details) {
        totals.merge(what, 1, Integer::sum);
        if (named.size() < MOST_NAMED) {
            named.add(new FleetChangeBody(what, kind, tenant, name, details));
        }
    }
}
