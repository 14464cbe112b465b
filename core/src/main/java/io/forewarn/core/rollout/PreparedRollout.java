package io.forewarn.core.rollout;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The units of a rollout and their turns, computed from one version of the fleet, the policies and the other rollouts.
 *
 * @param version what they were computed from
 * @param units in the order they were planned
 * @param ends when the last of them ends
 * @param times for each tenant: when which of its machines are worked on; of many machines the first
 */
public record PreparedRollout(
        long version,
        List<RolloutUnit> units,
        Instant ends,
        Map<String, ? extends SortedMap<Instant, List<String>>> times) {
    public PreparedRollout {
        units = List.copyOf(units);
        times = Map.copyOf(times);
    }
}
