package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * What was done.
 *
 * @param events the events made or touched, in the order the machines were named
 * @param changes how many groups and machines were added, changed or removed
 * @param fleet which, by name, the first 1000; only for changes of the fleet
 * @param totals how many were added, changed, moved and removed; only for changes of the fleet
 */
public record CommandResultBody(
        List<EventBody> events, int changes, List<FleetChangeBody> fleet, Map<String, Integer> totals) {
    /** What did not change the fleet. */
    public CommandResultBody(List<EventBody> events, int changes) {
        this(events, changes, null, null);
    }
}
