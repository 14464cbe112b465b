package io.forewarn.server.history;

import io.forewarn.core.notification.LogPosition;
import java.time.Instant;

/**
 * Tells how far a read got.
 *
 * @param next where to continue; null if there is nothing more
 * @param to the time of the last page that was read; null if none was
 */
public record ReadProgress(LogPosition next, Instant to) {}
