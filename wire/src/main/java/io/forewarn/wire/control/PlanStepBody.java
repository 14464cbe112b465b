package io.forewarn.wire.control;

import java.util.List;

/**
 * One step of a plan.
 *
 * @param unit a host, or tenant/group#domain
 * @param evacuation whether this step only moves machines away
 * @param scheduledAt when its machines would first be shown their events
 * @param startsAt when it would start, unless it is approved earlier
 * @param recoveredAt when the recovery time of its groups would end
 * @param reason what determined the start; absent if it is simply the start of the rollout
 * @param machines number of affected machines
 * @param machineNames the names of the first hundred, as tenant/name
 */
public record PlanStepBody(
        String unit,
        Boolean evacuation,
        String scheduledAt,
        String startsAt,
        String endsAt,
        String recoveredAt,
        String reason,
        List<String> groups,
        int machines,
        List<String> machineNames) {}
