package io.forewarn.wire.control;

import java.util.List;

/**
 * A rollout and how far it is.
 *
 * @param type freeze, reboot or redeploy
 * @param status running, paused, halted, aborted or done
 * @param why it stands where it stands
 * @param target what it is over
 * @param windows in which its work may start; left out for any time
 * @param units of how many hosts or update domains it is made
 * @param pending how many are still to come
 * @param open how many are scheduled or started
 * @param done how many are over
 * @param failed how many could not be done
 * @param skipped how many a person cancelled, or had no machines when everything else was over
 * @param waiting why units that are still to come are not under way yet, as far as the next hundred of them; only when one rollout is asked for
 * @param underWay the units that are open; only when one rollout is asked for
 * @param notDone the units that failed or were skipped, the first hundred of them; only when one rollout is asked for
 */
public record RolloutBody(
        String name,
        String type,
        String status,
        String why,
        List<String> target,
        Boolean rehearsal,
        List<String> windows,
        String selfServiceUntil,
        String createdAt,
        String endedAt,
        int units,
        int pending,
        int open,
        int done,
        int failed,
        int skipped,
        List<BlockedUnitsBody> waiting,
        List<RolloutUnitBody> underWay,
        List<UnitOutcomeBody> notDone) {}
