package io.forewarn.server.cluster;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.util.Optional;

/**
 * Tracks whether this node's forwarded requests reach the writer. A node that sees the writer in etcd but cannot reach it
 * still answers machines, while the writer considers those machines silent; that must be reported. It is reported after a
 * few failures in a row, because the writer may just be shutting down. Any thread.
 */
final class WriterReachability {
    private static final int REPORTED_AFTER = 3;

    private final Log log;
    private String writer;
    private String reason;
    private int failures;

    WriterReachability(Log log) {
        this.log = log;
    }

    /** The writer was reached, or there is none. */
    synchronized void succeeded() {
        if (failures >= REPORTED_AFTER) {
            log.write(LogLine.info("writer-reached").with("writer", writer));
        }
        failures = 0;
    }

    /** @param to the writer */
    synchronized void failed(String to, String cause) {
        failures = to.equals(writer) ? failures + 1 : 1;
        writer = to;
        reason = cause;
        if (failures == REPORTED_AFTER) {
            log.write(LogLine.warning("writer-unreachable")
                    .with("writer", writer)
                    .with("reason", reason)
                    .with("means", "the writer does not get polls and approvals from machines at this node"));
        }
    }

    /** Why it has not been reached for a while; empty if it has. */
    synchronized Optional<String> problem() {
        return failures >= REPORTED_AFTER ? Optional.of(reason) : Optional.empty();
    }
}
