package io.forewarn.wire.control;

import java.util.List;

/**
 * What a rollout would do if it began now, no event was approved early and nothing failed.
 *
 * @param units number of hosts or update domains
 * @param groups number of affected groups
 * @param machines number of affected machines
 * @param endsAt when the last unit would end
 * @param duration time from now until then
 * @param blocked what prevents units from being done
 * @param windows when its work may start, with their zones; absent: at any time
 * @param excludedCount number of hosts or groups that exclude, tenants and exceptTenants leave out
 * @param excluded which ones and why, the first hundred of them
 * @param warnings what to know before starting it
 * @param late the steps that cannot start by the latest start that was asked for, the first hundred of them: such a rollout is
 *     refused
 * @param stepCount number of steps; more than units if some hosts are evacuated first
 * @param steps in the order in which they would start, limited by the request
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
