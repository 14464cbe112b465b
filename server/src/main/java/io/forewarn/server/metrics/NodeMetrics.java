package io.forewarn.server.metrics;

import java.util.Map;
import java.util.function.LongSupplier;

/** Provides the metrics of a cluster node. Thread-safe and non-blocking. Unknown values are NaN. */
public interface NodeMetrics {
    boolean writes();

    /** Seconds since the writer's last heartbeat; 0 on the writer. */
    double heardSeconds();

    /** Whether this node hears from the writer but cannot forward requests to it. */
    boolean writerUnreachable();

    long epoch();

    /** The number of nodes. */
    int nodes();

    /** The format of records that this node writes. */
    int format();

    /** The number of etcd members. */
    double members();

    /** The number of members that responded. */
    double responding();

    /** How much was passed on to the writer, by what came of it. */
    Map<String, LongSupplier> forwardedRequests();
}
