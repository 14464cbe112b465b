package io.forewarn.core.event;

import io.forewarn.core.Actor;
import java.time.Instant;

/** Records who approved an event, and when. */
public record Approval(Actor by, Instant at) {}
