package io.forewarn.wire.control;

import java.util.List;

/**
 * A unit of a rollout and when it is to start.
 *
 * @param name a host, or tenant/group#domain
 * @param state pending, scheduled, started, done, failed or skipped
 * @param shownAt when its machines were, or will be, first shown their events
 * @param startsAt when it started, or starts unless it is approved earlier: at its turn, or later if its host is evacuated late, as estimated at present; absent if it was over without being worked on
 * @param endsAt when it ended, or is expected to end
 * @param recoveredAt when the recovery time of its groups ends; until then, this rollout takes down none of their other update domains
 * @param firstPlannedAt when it was to start according to the first plan; absent if it is about the same
 * @param evacuatesAt when machines are evacuated from its host before the start
 * @param reason what determined the time, or why it failed or was skipped
 * @param groups the groups of the affected machines, as tenant/name
 * @param machines the first hundred affected machines, as tenant/name; of a host that is over, the machines that are on it now; of an update domain that is over, those of its present machines that were worked on
 */
public record PlannedUnitBody(
        String name,
        String state,
        String shownAt,
        String startsAt,
        String endsAt,
        String recoveredAt,
        String firstPlannedAt,
        List<String> evacuatesAt,
        String reason,
        List<String> groups,
        List<String> machines) {
    /** What a unit can be. */
    public static final List<String> STATES = List.of("pending", "scheduled", "started", "done", "failed", "skipped");
}
