package io.forewarn.wire.control;

import java.util.List;

/**
 * One step of a plan.
 *
 * @param unit a host, or tenant/group#domain
 * @param evacuation whether machines are only moved away
 * @param scheduledAt when its events would be scheduled
 * @param startsAt when it would start at the latest
 * @param machines number of affected machines
 * @param machineNames their names as tenant/name; the first hundred
 */
public record PlanStepBody(
        String unit,
        Boolean evacuation,
        String scheduledAt,
        String startsAt,
        String endsAt,
        List<String> groups,
        int machines,
        List<String> machineNames) {}
