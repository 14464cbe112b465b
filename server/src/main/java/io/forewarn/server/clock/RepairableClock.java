package io.forewarn.server.clock;

import java.time.Duration;
import java.util.Optional;

/** Lets a person set service time to the machines' clocks. Thread-safe. */
public interface RepairableClock {
    /**
     * How far service time is behind the right clock.
     *
     * @param node the node of that clock; null for the machine's own, or for the majority of nodes
     * @throws io.forewarn.core.Refusal if that is unknown
     */
    Duration off(String node);

    /** Moves service time by that much. */
    void repair(Duration by);

    /** How far service time jumped at startup to a wall clock that could not be checked; empty if it did not. */
    default Optional<Duration> leapAtStart() {
        return Optional.empty();
    }

    /** What is wrong with this machine's clock; empty if nothing. */
    Optional<String> trouble();
}
