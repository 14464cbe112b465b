package io.forewarn.core.rollout;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.ZeroPadding;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A unit that is announced or started: one event per group and update domain it touches. They start together and end
 * together; the driver knows them by the first one.
 *
 * @param moves this pass only moves machines away; the unit itself comes after it
 */
public record ActiveUnit(RolloutUnitId tie, boolean moves, List<Part> parts) implements StoredRecord {
    /** The event of one group. */
    public record Part(GroupId group, EventId event) {}

    public static final String PREFIX = "work/";

    public ActiveUnit {
        parts = List.copyOf(parts);
    }

    @Override
    public String key() {
        return key(tie);
    }

    public static String key(RolloutUnitId rolloutUnitId) {
        return PREFIX + rolloutUnitId.rollout() + "/" + ZeroPadding.pad(rolloutUnitId.unit(), 7);
    }

    public ActiveUnit with(Part more) {
        List<Part> all = new ArrayList<>(parts);
        all.add(more);
        return new ActiveUnit(tie, moves, all);
    }

    /** Removes events that have ended. */
    public ActiveUnit without(Collection<Part> gone) {
        return new ActiveUnit(
                tie, moves, parts.stream().filter(part -> !gone.contains(part)).toList());
    }

    /** The event by which the driver knows the work. */
    public EventId lead() {
        return parts.get(0).event();
    }
}
