package io.forewarn.core.rules;

import io.forewarn.core.event.Tie;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;

/**
 * Why a piece of a rollout was not opened when it was looked at. It is not worth another look before that changes.
 *
 * @param group that was in its way; null if none was
 * @param at when time alone may have changed it; null if time changes nothing
 */
public record Waits(Tie piece, GroupId group, Instant at) {
    /** Until something ends in a group. */
    static Waits forGroup(Tie piece, GroupId group, Instant at) {
        return new Waits(piece, group, at);
    }

    /** Until nothing of its rollout is open. */
    static Waits forItsTurn(Tie piece) {
        return new Waits(piece, null, null);
    }

    static Waits forTime(Tie piece, Instant at) {
        return new Waits(piece, null, at);
    }
}
