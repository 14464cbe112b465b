package io.forewarn.core.fleet;

import java.util.List;
import java.util.Map;

/** Describes a fleet as written in a file: nothing assigned, nothing checked against the present one. */
public record FleetSpec(List<GroupSpec> groups, List<MachineSpec> machines) {
    /**
     * @param line its line in the file, for messages; 0 if it did not come from a file
     * @param updateDomains null for the default of the kind
     * @param faultDomains null for the default of the kind
     */
    public record GroupSpec(int line, GroupId id, GroupKind kind, Integer updateDomains, Integer faultDomains) {}

    /**
     * @param line its line in the file, for messages; 0 if it did not come from a file
     * @param group null for a single machine
     * @param updateDomain null to assign the next in turn
     * @param faultDomain null to assign the next in turn
     */
    public record MachineSpec(
            int line,
            MachineId id,
            GroupId group,
            Integer updateDomain,
            Integer faultDomain,
            String host,
            List<String> addresses,
            String listen,
            boolean spot,
            Map<String, String> tags) {}

    public FleetSpec {
        groups = List.copyOf(groups);
        machines = List.copyOf(machines);
    }
}
