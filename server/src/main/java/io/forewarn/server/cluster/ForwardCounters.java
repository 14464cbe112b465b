package io.forewarn.server.cluster;

import io.forewarn.server.control.PeerNodes;
import io.forewarn.wire.control.EnumNames;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Counts what came of what was passed on, attempt by attempt. Any thread. */
final class ForwardCounters {
    enum Outcome {
        /** The writer did it. */
        ANSWERED,
        /** The writer said no. */
        REFUSED,
        /** It left this node, and no answer came. */
        NOT_KNOWN,
        /** It did not leave this node, or came to one that does not write. */
        NOT_SENT
    }

    private static final int FIRST_REFUSAL = 400;

    private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);

    ForwardCounters() {
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    /** @param unsent whether a failure means that nothing was sent, or nothing was done with it */
    Future<PeerNodes.Reply> counted(Future<PeerNodes.Reply> attempt, Predicate<Throwable> unsent) {
        return attempt.onComplete(done -> {
            Outcome outcome = done.succeeded()
                    ? outcome(done.result())
                    : unsent.test(done.cause()) ? Outcome.NOT_SENT : Outcome.NOT_KNOWN;
            counts.get(outcome).increment();
        });
    }

    private static Outcome outcome(PeerNodes.Reply reply) {
        return reply.status() < FIRST_REFUSAL ? Outcome.ANSWERED : Outcome.REFUSED;
    }

    Map<String, LongSupplier> counts() {
        Map<String, LongSupplier> all = new LinkedHashMap<>();
        counts.forEach((outcome, count) -> all.put(EnumNames.of(outcome), count::sum));
        return all;
    }
}
