package io.forewarn.core.rollout;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.ZeroPadding;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A unit that is scheduled or started: one event per group and update domain it touches. They start together and end
 * together; the driver knows them by the first one.
 *
 * @param moves this pass only moves machines away; the unit itself comes after it
 * @param started when it started; null until then
 */
public record ActiveUnit(RolloutUnitId tie, boolean moves, List<Part> parts, Instant started) implements StoredRecord {
    /** The event of one group. */
    public record Part(GroupId group, EventId event) {}

    public static final String PREFIX = "work/";

    public ActiveUnit {
        parts = List.copyOf(parts);
    }

    /** A unit that is scheduled. */
    public ActiveUnit(RolloutUnitId tie, boolean moves, List<Part> parts) {
        this(tie, moves, parts, null);
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
        return new ActiveUnit(tie, moves, all, started);
    }

    /** Removes events that have ended. */
    public ActiveUnit without(Collection<Part> gone) {
        return new ActiveUnit(
                tie, moves, parts.stream().filter(part -> !gone.contains(part)).toList(), started);
    }

    public ActiveUnit startedAt(Instant at) {
        return new ActiveUnit(tie, moves, parts, at);
    }

    public boolean hasStarted() {
        return started != null;
    }

    /** The event by which the driver knows the work. */
    public EventId lead() {
        return parts.get(0).event();
    }
}
