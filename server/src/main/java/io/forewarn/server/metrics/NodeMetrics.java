package io.forewarn.server.metrics;

import java.util.Map;
import java.util.function.LongSupplier;

/** How a node among others is. Any thread; nobody waits for anything. What is not known yet is not a number. */
public interface NodeMetrics {
    boolean writes();

    /** How long ago the writer was heard; 0 if this is it. */
    double heardSeconds();

    /** Whether the writer is heard, and nothing that is passed on reaches it. */
    boolean unreached();

    long epoch();

    /** How many nodes are there. */
    int nodes();

    /** In which format records are written. */
    int format();

    /** How many members etcd has. */
    double members();

    /** How many of them answered. */
    double answering();

    /** How much was passed on to the writer, by what came of it. */
    Map<String, LongSupplier> passedOn();
}
