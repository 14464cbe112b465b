package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * One event.
 *
 * @param status waiting, scheduled, started or ended
 * @param type freeze, reboot, redeploy, preempt or terminate
 * @param cause what was requested, or what happened
 * @param source platform or user
 * @param rollout the rollout it is part of, if any
 * @param rehearsal whether this is a rehearsal, which does nothing to the machines
 * @param notBefore when it may start without approval
 * @param notice the notice promised
 * @param duration how long a machine is expected to be unavailable, if known
 * @param visible whether machines can read it
 * @param seenAt when each machine first received it
 * @param joinedBy the failure or preemption that happened to a machine after the start, if any
 * @param readyAt when each machine approved, if more than one must approve
 * @param postponements each postponement that was granted
 * @param blockers what keeps it from starting now; in answers about a single event or rollout, and in lists requested with `blockers=true`
 * @param policy the policy values that apply to it, and their sources; only in answers about a single event
 * @param outcome how it ended
 * @param history oldest first; only in answers about a single event
 */
public record EventBody(
        String id,
        String tenant,
        String group,
        String status,
        String type,
        String cause,
        String source,
        List<String> machines,
        Integer updateDomain,
        String description,
        String rollout,
        Boolean rehearsal,
        String acceptedAt,
        String notBefore,
        String notice,
        String duration,
        Boolean visible,
        ActorBody approvedBy,
        String approvedAt,
        String startedAt,
        Integer attempt,
        Map<String, String> seenAt,
        String joinedBy,
        Map<String, String> readyAt,
        List<PostponementBody> postponements,
        List<StartBlockerBody> blockers,
        List<SourcedValueBody> policy,
        String outcome,
        List<HistoryEntryBody> history) {
    /** An event of which only the id is known. */
    public static EventBody gone(String id) {
        return new EventBody(
                id, null, null, "ended", null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null, null, null);
    }
}
