package io.forewarn.core.event;

import io.forewarn.core.Actor;
import java.time.Instant;

/** Who waived the rest of the notice, and when. */
public record Approval(Actor by, Instant at) {}
