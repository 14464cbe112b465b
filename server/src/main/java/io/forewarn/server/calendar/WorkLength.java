package io.forewarn.server.calendar;

import io.forewarn.core.event.Cause;
import io.forewarn.core.rules.WorkDurations;
import java.time.Duration;

/**
 * How long work is planned to take: what the driver says of it, else what was said when it was requested, else as long as
 * plans assume. Plans say the same, so an entry ends when its unit is planned to end.
 */
final class WorkLength {
    /** Assumed if nobody knows how long the work takes. */
    private static final Duration UNKNOWN = Duration.ofMinutes(5);

    private final WorkDurations durations;

    WorkLength(WorkDurations durations) {
        this.durations = durations;
    }

    /** @param given what was said when it was requested; null if nothing was */
    Duration of(Cause cause, boolean rehearsal, Duration given) {
        return durations.of(cause, rehearsal, given).orElse(given == null ? UNKNOWN : given);
    }
}
