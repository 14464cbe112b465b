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
 * @param units number of units: hosts or update domains
 * @param pending number of units still to come
 * @param active number of units scheduled or started
 * @param done number of units that are done
 * @param failed number of units that failed
 * @param skipped number of units that a person cancelled, or that had no machines when everything else was over
 * @param blockedUnits why pending units have not been scheduled yet, for the next hundred of them; only in answers about a
 *     single rollout
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
        String createdAt,
        String endedAt,
        int units,
        int pending,
        int active,
        int done,
        int failed,
        int skipped,
        List<BlockedUnitsBody> blockedUnits,
        List<RolloutUnitBody> activeUnits,
        List<UnitOutcomeBody> incompleteUnits) {}
