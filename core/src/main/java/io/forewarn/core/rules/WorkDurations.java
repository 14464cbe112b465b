package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import java.time.Duration;
import java.util.Optional;

/** How long work takes, as far as the driver knows. For plans only; nothing is promised. */
@FunctionalInterface
public interface WorkDurations {
    WorkDurations UNKNOWN = (cause, rehearsal) -> Optional.empty();

    Optional<Duration> of(Cause cause, boolean rehearsal);
}
