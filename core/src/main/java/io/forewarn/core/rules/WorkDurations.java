package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import java.time.Duration;
import java.util.Optional;

/** How long work takes, as far as the driver knows. For plans only; nothing is promised. */
@FunctionalInterface
public interface WorkDurations {
    WorkDurations UNKNOWN = (cause, rehearsal, given) -> Optional.empty();

    /**
     * @param given how long it takes according to whoever asked for it, which may be false; null if they did not say
     */
    Optional<Duration> of(Cause cause, boolean rehearsal, Duration given);
}
