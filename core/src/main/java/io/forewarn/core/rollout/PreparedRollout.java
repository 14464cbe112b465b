package io.forewarn.core.rollout;

import java.util.List;

/**
 * The units of a rollout, computed from one version of the fleet.
 *
 * @param version the fleet version
 * @param units names, in the order they are tried
 */
public record PreparedRollout(long version, List<String> units) {
    public PreparedRollout {
        units = List.copyOf(units);
    }
}
