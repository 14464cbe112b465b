package io.forewarn.wire.control;

import java.util.List;

/**
 * A rollout and its progress.
 *
 * @param type freeze, reboot or redeploy
 * @param status running, paused, halted, aborted or done
 * @param reason the reason for its status
 * @param target its hosts, groups or tag
 * @param exclude the hosts or groups that are left out
 * @param tenants the tenants it is limited to
 * @param exceptTenants the tenants it leaves out
 * @param windows when its work may start; absent if it may start at any time
 * @param at the earliest start; absent if work starts as soon as notice allows
 * @param until the latest start of a unit; absent if there is no limit
 * @param late what happens to units that cannot start by `until`: refuse, next-window or any
 * @param plannedEnd when the last unit was to end according to the first plan; absent for an owner
 * @param expectedEnd when the last unit is now expected to end; for an owner, the last unit with machines of its tenant;
 *     only in answers about a single rollout
 * @param movedUnits number of units that start later than in the first plan; only in answers about a single rollout
 * @param units number of units: hosts or update domains; for an owner, those with machines of its tenant
 * @param pending number of units that are not scheduled yet
 * @param active number of units scheduled or started
 * @param done number of units that are done
 * @param failed number of units that failed
 * @param skipped number of units that a person cancelled, or that still had no machines at the end
 * @param blockedUnits why units that are due have not started, or have not been scheduled; only in answers about a single
 *     rollout
 * @param nextUnits the next ten units to start; only in answers about a single rollout
 * @param activeUnits the units scheduled or started; only in answers about a single rollout
 * @param incompleteUnits the first hundred units that failed or were skipped; only in answers about a single rollout
 */
public record RolloutBody(
        String name,
        String type,
        String status,
        String reason,
        List<String> target,
        List<String> exclude,
        List<String> tenants,
        List<String> exceptTenants,
        Boolean rehearsal,
        List<String> windows,
        String selfServiceUntil,
        String at,
        String until,
        String late,
        String plannedEnd,
        String expectedEnd,
        Integer movedUnits,
        String createdAt,
        String endedAt,
        int units,
        int pending,
        int active,
        int done,
        int failed,
        int skipped,
        List<BlockedUnitsBody> blockedUnits,
        List<PlannedUnitBody> nextUnits,
        List<RolloutUnitBody> activeUnits,
        List<UnitOutcomeBody> incompleteUnits) {}
