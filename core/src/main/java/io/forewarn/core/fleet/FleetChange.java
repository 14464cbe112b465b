package io.forewarn.core.fleet;

import java.util.List;

/**
 * A difference between the present fleet and a wanted one, per group.
 *
 * @param version of the fleet it was worked out against
 * @param touched how many groups and machines are added, changed or removed
 */
public record FleetChange(long version, List<GroupChange> groups, int touched) {
    /**
     * One group as it will be.
     *
     * @param group null if the group is removed
     * @param machines all its machines afterwards, in fleet order
     */
    public record GroupChange(GroupId id, Group group, List<Machine> machines) {}

    public boolean isEmpty() {
        return groups.isEmpty();
    }
}
