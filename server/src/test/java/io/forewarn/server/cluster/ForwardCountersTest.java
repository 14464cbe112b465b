package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.server.control.PeerNodes;
import io.vertx.core.Future;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ForwardCountersTest {
    private final ForwardCounters counters = new ForwardCounters();

    private void counted(Future<PeerNodes.Reply> attempt) {
        Future<PeerNodes.Reply> unused =
                counters.counted(attempt, failure -> failure instanceof WriterForwarder.NotDone);
    }

    private static Future<PeerNodes.Reply> reply(int status) {
        return Future.succeededFuture(new PeerNodes.Reply(status, "", null, new byte[0]));
    }

    @Test
    void everyAttemptIsCountedByWhatCameOfIt() {
        counted(reply(200));
        counted(reply(202));
        counted(reply(409));
        counted(Future.failedFuture(new WriterForwarder.NotDone("nobody writes")));
        counted(Future.failedFuture(new IllegalStateException("it broke")));
        Map<String, Long> counts = new TreeMap<>();
        counters.counts().forEach((outcome, count) -> counts.put(outcome, count.getAsLong()));
        assertEquals(Map.of("answered", 2L, "refused", 1L, "not-sent", 1L, "not-known", 1L), counts);
    }
}
