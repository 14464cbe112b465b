package io.forewarn.server.history;

import io.forewarn.core.notification.LogPosition;
import java.time.Instant;

/**
 * How far a reading came.
 *
 * @param next where to go on; null if there is nothing more
 * @param to the time of the last page that was looked at; null if there was nothing to look at
 */
public record ReadProgress(LogPosition next, Instant to) {}
