package io.forewarn.core.fleet;

import java.util.List;
import java.util.Map;

/** A fleet as somebody wrote it down: nothing assigned, nothing checked against the present one. */
public record FleetSpec(List<GroupSpec> groups, List<MachineSpec> machines) {
    /**
     * @param line where it stands in its file, for messages; 0 if it came otherwise
     * @param updateDomains null for the kind's usual number
     * @param faultDomains null for the kind's usual number
     */
    public record GroupSpec(int line, GroupId id, GroupKind kind, Integer updateDomains, Integer faultDomains) {}

    /**
     * @param line where it stands in its file, for messages; 0 if it came otherwise
     * @param group null for a machine alone
     * @param updateDomain null to be assigned in turn
     * @param faultDomain null to be assigned in turn
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
