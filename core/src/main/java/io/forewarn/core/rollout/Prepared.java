package io.forewarn.core.rollout;

import java.util.List;

/**
 * The pieces of a rollout, as a fleet had them.
 *
 * @param version of the fleet they were found in
 * @param pieces names, in the order they are tried
 */
public record Prepared(long version, List<String> pieces) {
    public Prepared {
        pieces = List.copyOf(pieces);
    }
}
