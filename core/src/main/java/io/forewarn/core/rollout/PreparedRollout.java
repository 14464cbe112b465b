package io.forewarn.core.rollout;

import java.util.List;

/**
 * The pieces of a rollout, as a fleet had them.
 *
 * @param version of the fleet they were found in
 * @param pieces names, in the order they are tried
 */
public record PreparedRollout(long version, List<String> units) {
    public PreparedRollout {
        units = List.copyOf(units);
    }
}
