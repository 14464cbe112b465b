package io.forewarn.server.control;

import io.forewarn.wire.control.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Provides facts about this process to the control API. Thread-safe. */
public interface ServiceInfo {
    /** Whether requests get correct responses: loaded, and neither starting nor stopping. */
    boolean ready();

    /** Whether it is stopping: new requests are not executed any more. */
    default boolean ending() {
        return false;
    }

    Duration uptime();

    /** Whether its data is recent: on a follower, whether it got a recent heartbeat from the writer. */
    default boolean fresh() {
        return true;
    }

    /** Time since the writer's last heartbeat; empty on the writer. */
    default Optional<Duration> lag() {
        return Optional.empty();
    }

    /** A description of the store. */
    String store();

    /** The listen addresses: first metadata, then control. */
    List<HostPort> addresses();
}
