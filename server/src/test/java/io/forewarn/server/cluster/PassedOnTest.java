package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.server.control.Peers;
import io.vertx.core.Future;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PassedOnTest {
    private final PassedOn passedOn = new PassedOn();

    private void counted(Future<Peers.Reply> attempt) {
        Future<Peers.Reply> unused = passedOn.counted(attempt, failure -> failure instanceof Relay.NotDone);
    }

    private static Future<Peers.Reply> reply(int status) {
        return Future.succeededFuture(new Peers.Reply(status, "", null, new byte[0]));
    }

    @Test
    void everyAttemptIsCountedByWhatCameOfIt() {
        counted(reply(200));
        counted(reply(202));
        counted(reply(409));
        counted(Future.failedFuture(new Relay.NotDone("nobody writes")));
        counted(Future.failedFuture(new IllegalStateException("it broke")));
        Map<String, Long> counts = new TreeMap<>();
        passedOn.counts().forEach((outcome, count) -> counts.put(outcome, count.getAsLong()));
        assertEquals(Map.of("answered", 2L, "refused", 1L, "not-sent", 1L, "not-known", 1L), counts);
    }
}
