package io.forewarn.core.engine;

import io.forewarn.core.event.Cause;
import java.time.Duration;
import java.util.Optional;

/**
 * Carries out maintenance. Both methods return at once; the outcome of a task is reported to the engine at least once, as a
 * {@link io.forewarn.core.rules.Command.Told}. The claim in the task is durable before either method is called.
 */
public interface MaintenanceDriver {
    /** Starts the work. Called once per attempt. */
    void start(DriverTask task);

    /** Reports its status: done, failed, running, or unknown if it was never started. Called after a restart. */
    void status(DriverTask task);

    /**
     * How long such work takes, if that is known before: plans ask. Any thread.
     *
     * @param given how long it takes according to whoever asked for it, which may be false; null if they did not say
     */
    default Optional<Duration> expected(Cause cause, boolean rehearsal, Duration given) {
        return Optional.empty();
    }
}
