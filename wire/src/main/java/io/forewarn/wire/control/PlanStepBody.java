package io.forewarn.wire.control;

import java.util.List;

/**
 * One step of a plan.
 *
 * @param unit a host, or tenant/group#domain
 * @param evacuation whether machines are only moved away
 * @param scheduledAt when its machines would first be shown their events
 * @param startsAt when it would start, unless it is approved earlier
 * @param reason what determined the start; absent if nothing but the start of the rollout did
 * @param machines number of affected machines
 * @param machineNames their names as tenant/name; the first hundred
 */
public record PlanStepBody(
        String unit,
        Boolean evacuation,
        String scheduledAt,
        String startsAt,
        String endsAt,
        String reason,
        List<String> groups,
        int machines,
        List<String> machineNames) {}
