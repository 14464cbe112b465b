package io.forewarn.server.control;

import io.forewarn.wire.control.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the process knows of itself. Any thread. */
public interface ServiceInfo {
    /** Whether requests are answered truthfully: loaded, and neither starting nor ending. */
    boolean ready();

    /** Whether it ends: nothing that comes now is done any more. */
    default boolean ending() {
        return false;
    }

    Duration uptime();

    /** Whether what is told here is recent: on a node that follows, whether it has heard the writer lately. */
    default boolean fresh() {
        return true;
    }

    /** How long ago the writer was heard; empty if this is the writer. */
    default Optional<Duration> lag() {
        return Optional.empty();
    }

    /** The store, for people. */
    String store();

    /** Where the process listens: first for machines, then for people. */
    List<HostPort> addresses();
}
