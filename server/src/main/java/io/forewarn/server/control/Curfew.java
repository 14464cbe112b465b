package io.forewarn.server.control;

import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends answers that outlast their caller's token. A stream may be open for days and a token be taken back any moment; it
 * must open nothing a second later, whoever writes the answer and however.
 */
final class Curfew {
    private static final long ROUND_MILLIS = 250;

    private final Gate gate;
    private final Set<Call> under = ConcurrentHashMap.newKeySet();

    Curfew(Vertx vertx, Gate gate) {
        this.gate = gate;
        vertx.setPeriodic(ROUND_MILLIS, timer -> round());
    }

    /** From now until it is answered. */
    void watch(Call call) {
        under.add(call);
    }

    private void round() {
        under.removeIf(Call::isOver);
        for (Call call : under) {
            if (!gate.stillOpen(call.caller())) {
                call.cut();
            }
        }
    }
}
