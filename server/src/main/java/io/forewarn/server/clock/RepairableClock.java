package io.forewarn.server.clock;

import java.time.Duration;
import java.util.Optional;

/** Service time that a person can set to what the machines' clocks say. Any thread. */
public interface RepairableClock {
    /**
     * By how much service time is behind the clock that is right.
     *
     * @param node whose clock that is; null for the machine's own, or for what most nodes say
     * @throws io.forewarn.core.Refusal if nobody can tell
     */
    Duration off(String node);

    /** Has service time leap by that much. */
    void repair(Duration by);

    /** By how much service time leapt, when the service started, to a wall that nobody could check; empty if it did not. */
    default Optional<Duration> leapAtStart() {
        return Optional.empty();
    }

    /** What is wrong with this machine's clock, for people; empty if nothing is. */
    Optional<String> trouble();
}
