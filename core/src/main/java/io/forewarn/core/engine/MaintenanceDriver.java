package io.forewarn.core.engine;

import io.forewarn.core.event.Cause;
import java.time.Duration;
import java.util.Optional;

/**
 * Carries work out. Both verbs return at once; what becomes of the task is told to the engine as a
 * {@link io.forewarn.core.rules.Command.Told}, at least once. The claim in the task is durable before either is called.
 */
public interface MaintenanceDriver {
    /** Do it. Called once per attempt. */
    void start(DriverTask task);

    /** Say how it stands: done, failed, running, or unknown if never told to start it. Asked after a restart. */
    void status(DriverTask task);

    /** How long such work takes, if that is known before: plans ask. Any thread. */
    default Optional<Duration> expected(Cause cause, boolean rehearsal) {
        return Optional.empty();
    }
}
