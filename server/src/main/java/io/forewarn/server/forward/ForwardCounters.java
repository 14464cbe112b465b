package io.forewarn.server.forward;

import io.forewarn.wire.control.EnumNames;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts the outcomes of forwarding, per attempt. Any thread. */
final class ForwardCounters {
    enum Outcome {
        /** The writer carried it out. */
        ANSWERED,
        /** The writer refused it. */
        REFUSED,
        /** It was sent, and no answer came. */
        UNKNOWN,
        /** It was not sent, or reached a node that is not the writer. */
        NOT_SENT
    }

    private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);

    ForwardCounters() {
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    Future<ForwardedReply> counted(Future<ForwardedReply> attempt) {
        return attempt.onComplete(done -> {
            Outcome outcome = done.succeeded()
                    ? outcome(done.result())
                    : done.cause() instanceof NotDoneException ? Outcome.NOT_SENT : Outcome.UNKNOWN;
            counts.get(outcome).increment();
        });
    }

    private static Outcome outcome(ForwardedReply reply) {
        return reply.isRefusal() ? Outcome.REFUSED : Outcome.ANSWERED;
    }

    Map<String, LongSupplier> counts() {
        Map<String, LongSupplier> all = new LinkedHashMap<>();
        counts.forEach((outcome, count) -> all.put(EnumNames.of(outcome), count::sum));
        return all;
    }
}
