package io.forewarn.core.event;

import io.forewarn.core.Actor;
import java.time.Duration;
import java.time.Instant;

/**
 * One postponement that was granted.
 *
 * @param by a machine of the group, or a person
 * @param at when it was granted
 * @param from the NotBefore it found
 * @param until the NotBefore it left
 */
public record Postponement(Actor.Kind by, Instant at, Instant from, Instant until) {
    public Duration length() {
        return Duration.between(from, until);
    }
}
