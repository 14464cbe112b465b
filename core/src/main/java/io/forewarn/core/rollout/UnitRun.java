package io.forewarn.core.rollout;

import java.time.Instant;

/**
 * Says when the work on a unit really took place.
 *
 * @param shown when its machines were first shown it; null if they were not
 */
public record UnitRun(Instant shown, Instant started, Instant ended) {}
