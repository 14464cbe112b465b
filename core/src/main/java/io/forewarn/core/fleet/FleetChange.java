package io.forewarn.core.fleet;

import java.util.List;
import java.util.Set;

/**
 * Describes the difference between the present fleet and the wanted one, per group.
 *
 * @param version the version of the fleet that it was computed from
 * @param moves from which group to which other some machine moves
 * @param touched number of groups and machines added, changed or removed
 */
public record FleetChange(long version, List<GroupChange> groups, Set<Move> moves, int touched) {
    /**
     * A group after the change.
     *
     * @param group null if the group is removed
     * @param machines all its machines afterwards, in fleet order
     */
    public record GroupChange(GroupId id, Group group, List<Machine> machines) {}

    /** One machine or more change from one group to another. */
    public record Move(GroupId from, GroupId to) {}

    public boolean isEmpty() {
        return groups.isEmpty();
    }
}
