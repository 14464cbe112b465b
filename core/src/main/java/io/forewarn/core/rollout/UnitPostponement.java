package io.forewarn.core.rollout;

import io.forewarn.core.Actor;
import java.time.Duration;

/**
 * Records a granted postponement of a unit. Whatever event of the unit it was asked for, it holds all of them.
 *
 * @param tenant whose event was postponed
 * @param by a machine, or a person
 * @param delay how much later the unit starts
 */
public record UnitPostponement(String tenant, Actor.Kind by, Duration delay) {}
