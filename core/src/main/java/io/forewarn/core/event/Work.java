package io.forewarn.core.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Describes the maintenance work of an event, fixed when it is accepted.
 *
 * @param resources machine names in fleet order, all of one update domain
 * @param notice how long machines must be able to see it before it may start
 * @param interruption how long a machine is expected to be down; null if unknown
 * @param acceptedAt when it was requested
 * @param unit the rollout unit this work belongs to, which ties it to the unit's other events; null for single work
 * @param rehearsal whether it is a rehearsal: nothing is done to the machine
 */
public record Work(
        Cause cause,
        List<String> resources,
        int updateDomain,
        Duration notice,
        String description,
        Duration interruption,
        Instant acceptedAt,
        RolloutUnitId unit,
        boolean rehearsal) {
    public Work {
        resources = List.copyOf(resources);
    }

    /** Work of its own, and no rehearsal. */
    public Work(
            Cause cause,
            List<String> resources,
            int updateDomain,
            Duration notice,
            String description,
            Duration interruption,
            Instant acceptedAt) {
        this(cause, resources, updateDomain, notice, description, interruption, acceptedAt, null, false);
    }

    /** The same with other notice, because its group polls by now. */
    public Work withNotice(Duration more) {
        return new Work(cause, resources, updateDomain, more, description, interruption, acceptedAt, unit, rehearsal);
    }

    /** The rollout it is part of; null if there is none. */
    public String rollout() {
        return unit == null ? null : unit.rollout();
    }

    public Optional<Duration> expectedInterruption() {
        return Optional.ofNullable(interruption);
    }
}
