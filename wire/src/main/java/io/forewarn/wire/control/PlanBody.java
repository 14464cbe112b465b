package io.forewarn.wire.control;

import java.util.List;

/**
 * What a rollout would do if it began now, no event was approved early and nothing failed.
 *
 * @param units number of hosts or update domains
 * @param groups number of affected groups
 * @param machines number of affected machines
 * @param endsAt when the last unit would end
 * @param duration the time from now until endsAt
 * @param blocked what prevents work on some units
 * @param windows when its work may start, with time zones; absent if it may start at any time
 * @param excludedCount number of hosts or groups that are left out because of `exclude`, `tenants` or `exceptTenants`
 * @param excluded the first hundred of these, with the reasons
 * @param warnings what to know before starting the rollout
 * @param late the first hundred steps that cannot start by the requested latest start; a rollout that has any is refused
 * @param stepCount number of steps, which is more than the number of units if some hosts are evacuated first
 * @param steps the steps in the order in which they would start, at most as many as the request asks for
 */
public record PlanBody(
        String name,
        int units,
        int groups,
        int machines,
        String endsAt,
        String duration,
        List<String> blocked,
        List<String> windows,
        int excludedCount,
        List<ExcludedTargetBody> excluded,
        List<String> warnings,
        List<PlanStepBody> late,
        int stepCount,
        List<PlanStepBody> steps) {}
