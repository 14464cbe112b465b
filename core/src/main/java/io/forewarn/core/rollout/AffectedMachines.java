package io.forewarn.core.rollout;

import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import java.util.List;

/** The machines of one group and update domain that a unit touches, in fleet order. */
public record AffectedMachines(GroupId group, int updateDomain, List<Machine> machines) {
    public AffectedMachines {
        machines = List.copyOf(machines);
    }
}
