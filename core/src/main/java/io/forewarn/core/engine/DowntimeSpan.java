package io.forewarn.core.engine;

import java.time.Duration;

/**
 * Service time that passed while no document could be read: the service was down or stalled, or service time was set. It
 * does not count as notice.
 *
 * @param commit the last commit before it ended: events of this commit and of earlier ones missed it
 * @param length negative if service time was set back
 */
public record DowntimeSpan(long commit, Duration length) {}
