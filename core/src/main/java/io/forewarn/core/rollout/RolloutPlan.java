package io.forewarn.core.rollout;

import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.List;

/**
 * Holds the plan of a rollout: when each unit is shown, starts and ends, provided that nothing fails and work takes as long
 * as expected. A rollout that is started stores these times.
 *
 * @param steps by start
 * @param blocked what blocks which unit
 * @param late units that cannot start by the latest start the rollout asks for
 * @param warnings what an operator should know before starting it
 */
public record RolloutPlan(
        List<Step> steps,
        int units,
        int groups,
        int machines,
        Instant ends,
        List<String> blocked,
        List<Step> late,
        List<String> warnings) {
    /**
     * One unit, or its evacuation.
     *
     * @param moves whether machines are only moved away
     * @param scheduled when its machines are first shown it
     * @param shares the affected machines
     * @param why what determined the start; blank if nothing but the start of the rollout did
     */
    public record Step(
            String unit,
            boolean moves,
            Instant scheduled,
            Instant starts,
            Instant ends,
            List<GroupId> groups,
            int machines,
            List<AffectedMachines> shares,
            String why) {}
}
