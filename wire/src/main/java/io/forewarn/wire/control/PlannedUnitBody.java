package io.forewarn.wire.control;

import java.util.List;

/**
 * A unit of a rollout and when it is to start.
 *
 * @param name a host, or tenant/group#domain
 * @param state pending, scheduled, started, done, failed or skipped
 * @param startsAt when it starts unless it is approved earlier, or when it started
 * @param firstPlannedAt when it was to start according to the first plan; absent if that has not changed
 * @param evacuatesAt when machines are evacuated from its host before the start
 * @param reason what determined the time, or why it failed or was skipped
 * @param machines the first hundred affected machines, as tenant/name
 */
public record PlannedUnitBody(
        String name,
        String state,
        String startsAt,
        String firstPlannedAt,
        List<String> evacuatesAt,
        String reason,
        List<String> machines) {
    /** What a unit can be. */
    public static final List<String> STATES = List.of("pending", "scheduled", "started", "done", "failed", "skipped");
}
