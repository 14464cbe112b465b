package io.forewarn.core.rules;

import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;

/**
 * Why a unit of a rollout could not be opened. It is not looked at again before that changes.
 *
 * @param group the group that blocked it; null if none did
 * @param at when time alone may have unblocked it; null if time changes nothing
 * @param why for people; blank if it only waits for its time
 * @param untilIdle whether it is also looked at when nothing of its rollout is open
 */
public record BlockedUnit(RolloutUnitId unit, GroupId group, Instant at, String why, boolean untilIdle) {
    /** Until something ends in a group, or one of its machines is up or down. */
    static BlockedUnit forGroup(RolloutUnitId unit, GroupId group, Instant at, String why) {
        return new BlockedUnit(unit, group, at, why, false);
    }

    /** Until nothing of its rollout is open, or it has room for another unit. */
    static BlockedUnit forItsTurn(RolloutUnitId unit, String why) {
        return new BlockedUnit(unit, null, null, why, true);
    }

    static BlockedUnit forTime(RolloutUnitId unit, Instant at, String why) {
        return new BlockedUnit(unit, null, at, why, false);
    }

    /** Until then, or until nothing of its rollout is open. */
    static BlockedUnit forTimeOrEnd(RolloutUnitId unit, Instant at, String why) {
        return new BlockedUnit(unit, null, at, why, true);
    }
}
