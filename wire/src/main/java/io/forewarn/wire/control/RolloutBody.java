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
 * @param exceptTenants the tenants it spares
 * @param windows when its work may start; absent: at any time
 * @param at nothing starts before; absent: as soon as notice allows
 * @param until no unit starts after; absent: no limit
 * @param late what becomes of units that cannot start by then: refuse, next-window or any
 * @param plannedEnd when the last unit was to end by the first plan; absent for an owner
 * @param expectedEnd when the last unit is expected to end now, for an owner of those with machines of its tenant; only in answers about a single rollout
 * @param movedUnits number of units that are to start later than by the first plan; only in answers about a single rollout
 * @param units number of units: hosts or update domains; for an owner, those with machines of its tenant
 * @param pending number of units still to come
 * @param active number of units scheduled or started
 * @param done number of units that are done
 * @param failed number of units that failed
 * @param skipped number of units that a person cancelled, or that had no machines when everything else was over
 * @param blockedUnits why pending units have not been scheduled yet, for the next hundred of them; only in answers about a
 *     single rollout
 * @param nextUnits the next units to start, ten at most; only in answers about a single rollout
 * @param activeUnits the units scheduled or started; only in answers about a single rollout
 * @param incompleteUnits the units that failed or were skipped, the first hundred of them; only in answers about a single rollout
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
