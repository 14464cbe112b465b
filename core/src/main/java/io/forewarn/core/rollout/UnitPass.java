package io.forewarn.core.rollout;

import io.forewarn.core.event.Cause;
import java.time.Instant;

/** What a unit of a rollout is planned to do to some machines at one time: move them off their host, or its actual work. */
public record UnitPass(AffectedMachines affected, Cause cause, Instant at) {}
