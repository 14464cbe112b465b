package io.forewarn.core.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The maintenance itself, fixed when it is accepted.
 *
 * @param resources machine names in fleet order, all of one update domain
 * @param notice how long before it may start it must be readable
 * @param interruption how long a machine is expected to be away; null if nobody knows
 * @param acceptedAt when it was asked for
 */
public record Work(
        Cause cause,
        List<String> resources,
        int updateDomain,
        Duration notice,
        String description,
        Duration interruption,
        Instant acceptedAt) {
    public Work {
        resources = List.copyOf(resources);
    }

    public Optional<Duration> expectedInterruption() {
        return Optional.ofNullable(interruption);
    }
}
