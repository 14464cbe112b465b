package io.forewarn.core.event;

import java.time.Instant;

/**
 * Records durably that the writer tells the driver to start.
 *
 * @param startedAt when the event started; later attempts keep it
 * @param attempt counts from 1
 * @param epoch the writer that made this attempt
 */
public record StartAttempt(Instant startedAt, int attempt, long epoch) {}
