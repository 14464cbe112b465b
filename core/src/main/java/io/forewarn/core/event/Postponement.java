package io.forewarn.core.event;

import io.forewarn.core.Actor;
import java.time.Duration;
import java.time.Instant;

/**
 * Records a granted postponement.
 *
 * @param by a machine of the group, or a person
 * @param at when it was granted
 * @param from the NotBefore before it
 * @param until the NotBefore after it
 */
public record Postponement(Actor.Kind by, Instant at, Instant from, Instant until) {
    public Duration length() {
        return Duration.between(from, until);
    }
}
