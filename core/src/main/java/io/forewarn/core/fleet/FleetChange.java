package io.forewarn.core.fleet;

import java.util.List;

/**
 * Describes the difference between the present fleet and the wanted one, per group.
 *
 * @param version the version of the fleet that it was computed from
 * @param touched number of groups and machines added, changed or removed
 */
public record FleetChange(long version, List<GroupChange> groups, int touched) {
    /**
     * A group after the change.
     *
     * @param group null if the group is removed
     * @param machines all its machines afterwards, in fleet order
     */
    public record GroupChange(GroupId id, Group group, List<Machine> machines) {}

    public boolean isEmpty() {
        return groups.isEmpty();
    }
}
