package io.forewarn.acceptance.cluster;

import io.forewarn.acceptance.faults.BoundConnection;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One caller's connections to all nodes: it stays with one as long as that answers, then goes on to the next. One thread. */
final class NodeClient implements AutoCloseable {
    /** Shorter than any fault lasts: who waits longer sees none of the other nodes. */
    static final int HASTY_MILLIS = 1_500;

    /** When all is well: however slow this machine is. */
    static final int PATIENT_MILLIS = 20_000;

    private static final int CIRCLES = 3;

    /**
     * An answer, and which node gave it.
     *
     * @param first whether no node was asked before: else an earlier copy may still be on its way to the writer
     */
    record Told(int node, BoundConnection.Answer answer, boolean first) {}

    private final Cluster cluster;
    private final ClusterLedger clusterLedger;
    private final String from;
    private final int patienceMillis;
    private final BoundConnection[] lines = new BoundConnection[Cluster.NODES];
    private int at;

    /** @param from an address of a machine's; null: an operator */
    NodeClient(Cluster cluster, ClusterLedger clusterLedger, String from, int first, int patienceMillis) {
        this.patienceMillis = patienceMillis;
        this.clusterLedger = clusterLedger;
        this.cluster = cluster;
        this.from = from;
        this.at = first % Cluster.NODES;
    }

    int node() {
        return at;
    }

    void next() {
        drop();
        at = (at + 1) % Cluster.NODES;
    }

    /** Asks the node this caller is at, once. */
    Told once(String method, String path, Map<String, String> headers, String body) throws IOException {
        Server node = cluster.node(at);
        if (lines[at] == null) {
            lines[at] = from == null
                    ? new BoundConnection(node.control(), "127.0.0.1", patienceMillis)
                    : new BoundConnection(node.metadata(), from, patienceMillis);
        }
        try {
            return new Told(at, lines[at].ask(method, path, headers, body), true);
        } catch (IOException unanswered) {
            drop();
            throw unanswered;
        }
    }

    /** Asks one node after the other until one knows; null if none did. What is asked must be safe to ask twice. */
    Told untilKnown(String method, String path, Map<String, String> extra, String body) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        boolean patient = patienceMillis == PATIENT_MILLIS;
        for (int attempt = 0; attempt < CIRCLES * Cluster.NODES || patient && System.nanoTime() < end; attempt++) {
            try {
                Map<String, String> headers = new HashMap<>(extra);
                headers.putAll(from == null ? cluster.node(at).token() : Server.MACHINE);
                Told told = once(method, path, headers, body);
                clusterLedger.note(method + " " + path + " " + extra.values() + " at " + told.node() + ": "
                        + told.answer().status() + " " + told.answer().body());
                if (told.answer().status() != 503) {
                    return new Told(told.node(), told.answer(), attempt == 0);
                }
            } catch (IOException unanswered) {
                // It may have been done or not; the key says so to whoever is asked next.
                clusterLedger.note(method + " " + path + " " + extra.values() + " at " + at + ": " + unanswered);
            }
            next();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        return null;
    }

    private void drop() {
        if (lines[at] != null) {
            lines[at].close();
            lines[at] = null;
        }
    }

    @Override
    public void close() {
        for (BoundConnection connection : lines) {
            if (connection != null) {
                connection.close();
            }
        }
    }
}
