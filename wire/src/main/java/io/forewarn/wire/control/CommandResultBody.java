package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * The result of a command.
 *
 * @param events the events created or changed, in the order in which the request named the machines
 * @param changes number of groups and machines that were added, changed or removed
 * @param fleetChanges the first 1000 of these, by name; only for changes to the fleet
 * @param totals how many groups and machines were added, changed, moved and removed; only for changes to the fleet
 */
public record CommandResultBody(
        List<EventBody> events, int changes, List<FleetChangeBody> fleetChanges, Map<String, Integer> totals) {
    /** The result of a command that did not change the fleet. */
    public CommandResultBody(List<EventBody> events, int changes) {
        this(events, changes, null, null);
    }
}
