package io.forewarn.acceptance.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.BoundConnection;
import io.forewarn.acceptance.faults.Ledger;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What callers of several nodes were told: the ledger of one node, and what holds for each node or by the callers' own clock. */
final class ClusterLedger {
    /** Cluster time draws nearer to a wall by a tenth of the time that passes, so a second of it may be this short. */
    private static final double FASTEST = 10.0 / 11;

    private record Promise(long sentNanos, long noticeMillis) {}

    private final PrintWriter written;
    private final Ledger ledger = new Ledger();
    private final Map<String, Long> floors = new ConcurrentHashMap<>();
    private final Map<String, Promise> promises = new ConcurrentHashMap<>();
    private final Map<String, Long> approvals = new ConcurrentHashMap<>();
    private final AtomicLong unanswered = new AtomicLong();

    ClusterLedger(Path file) throws IOException {
        written = new PrintWriter(Files.newBufferedWriter(file), true);
    }

    /** So that a violation can be understood afterwards. */
    void note(String what) {
        written.println(Instant.now() + " " + Thread.currentThread().getName() + " " + what);
    }

    Ledger ledger() {
        return ledger;
    }

    /** The least incarnation that a poll of this node, beginning now, may show. */
    long floor(int node, String group) {
        return floors.getOrDefault(node + "/" + group, 1L);
    }

    void polled(int node, String group, long floor, String body) throws IOException {
        JsonNode document = Server.json(new BoundConnection.Answer(200, Map.of(), body));
        ledger.polled(group + " at node " + node, group, floor, body, document);
        floors.merge(node + "/" + group, document.path("DocumentIncarnation").asLong(), Math::max);
        for (JsonNode event : document.path("Events")) {
            if (event.path("EventStatus").asText().equals("Started")) {
                sawStarted(event.path("EventId").asText());
            }
        }
    }

    /** An event was promised this notice, in answer to what was sent then. */
    void promised(String event, long sentNanos, long noticeMillis) {
        promises.putIfAbsent(event, new Promise(sentNanos, noticeMillis));
    }

    private void sawStarted(String event) {
        startedAt(event, System.nanoTime());
    }

    /** Nothing anybody's clock says can make the notice shorter for who waits for it, or has it start before somebody approves. */
    void startedAt(String event, long nanos) {
        Promise promise = promises.get(event);
        Long approving = approvals.get(event);
        if (promise == null || approving != null && nanos >= approving) {
            return;
        }
        long waited = TimeUnit.NANOSECONDS.toMillis(nanos - promise.sentNanos());
        if (waited < promise.noticeMillis() * FASTEST) {
            ledger.violated("event " + event + " had started " + waited + " ms after it was asked for, with "
                    + promise.noticeMillis() + " ms of notice");
        }
    }

    /** From now on it may start at any time. */
    void tryingToApprove(String event) {
        approvals.putIfAbsent(event, System.nanoTime());
        ledger.tryingToApprove(event);
    }

    void nobodyAnswered() {
        unanswered.incrementAndGet();
    }

    long unanswered() {
        return unanswered.get();
    }
}
