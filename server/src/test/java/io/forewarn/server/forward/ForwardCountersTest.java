package io.forewarn.server.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ForwardCountersTest {
    private final ForwardCounters counters = new ForwardCounters();

    private void counted(Future<ForwardedReply> attempt) {
        Future<ForwardedReply> unused = counters.counted(attempt);
    }

    private static Future<ForwardedReply> reply(int status) {
        return Future.succeededFuture(ForwardedReply.of(status, "", new byte[0]));
    }

    @Test
    void everyAttemptIsCountedByWhatCameOfIt() {
        counted(reply(200));
        counted(reply(202));
        counted(reply(409));
        counted(Future.failedFuture(new NotDoneException("nobody writes")));
        counted(Future.failedFuture(new IllegalStateException("it broke")));
        Map<String, Long> counts = new TreeMap<>();
        counters.counts().forEach((outcome, count) -> counts.put(outcome, count.getAsLong()));
        assertEquals(Map.of("answered", 2L, "refused", 1L, "not-sent", 1L, "unknown", 1L), counts);
    }
}
