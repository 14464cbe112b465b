package io.forewarn.server.cluster;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.util.Optional;

/**
 * Tracks whether this node's forwarded requests reach the writer. A node that sees the writer in etcd but cannot reach it
 * still answers machines, while the writer takes those machines for silent; that must be reported. It is reported after a
 * few failures in a row, because the writer may just be shutting down. Any thread.
 */
final class WriterReachability {
    private static final int FEW = 3;

    private final Log log;
    private String writer;
    private String why;
    private int failures;

    WriterReachability(Log log) {
        this.log = log;
    }

    /** There is nobody to reach, or it was reached. */
    synchronized void succeeded() {
        if (failures >= FEW) {
            log.write(LogLine.info("writer-reached").with("writer", writer));
        }
        failures = 0;
    }

    /** @param to the writer */
    synchronized void failed(String to, String reason) {
        failures = to.equals(writer) ? failures + 1 : 1;
        writer = to;
        why = reason;
        if (failures == FEW) {
            log.write(LogLine.warning("writer-unreachable")
                    .with("writer", writer)
                    .with("reason", why)
                    .with("means", "the writer does not get polls and approvals from machines at this node"));
        }
    }

    /** Why it has not been reached for a while; empty if it has. */
    synchronized Optional<String> problem() {
        return failures >= FEW ? Optional.of(why) : Optional.empty();
    }
}
