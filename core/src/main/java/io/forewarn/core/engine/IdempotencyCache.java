package io.forewarn.core.engine;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.history.IdempotencyRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

/** The results of commands by idempotency key, kept for a day. */
final class IdempotencyCache {
    static final Duration KEPT = Duration.ofHours(24);

    private record Aged(Instant at, String key) {}

    /** @param at when it was done */
    private record Known(IdempotencyRecord done, Instant at) {}

    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private final Queue<Aged> ages = new PriorityQueue<>(Comparator.comparing(Aged::at));

    /**
     * Adds a result; in any order.
     *
     * @param committed when it was committed
     */
    void remember(IdempotencyRecord idempotencyRecord, Instant committed) {
        Instant at = idempotencyRecord.at() == null ? committed : idempotencyRecord.at();
        if (known.put(idempotencyRecord.key(), new Known(idempotencyRecord, at)) == null) {
            ages.add(new Aged(at, idempotencyRecord.key()));
        }
    }

    /** @throws RefusedException if the key was used for another request */
    Optional<IdempotencyRecord> find(Engine.Once once) {
        return Optional.ofNullable(known.get(once.key())).map(known -> check(known.done, once));
    }

    /**
     * When its age began to count; empty if the command was not carried out. Any thread.
     *
     * @throws RefusedException if the key was used for another request
     */
    Optional<Instant> time(Engine.Once once) {
        return Optional.ofNullable(known.get(once.key())).map(known -> {
            check(known.done, once);
            return known.at;
        });
    }

    static IdempotencyRecord check(IdempotencyRecord idempotencyRecord, Engine.Once once) {
        if (!idempotencyRecord.fingerprint().equals(once.fingerprint())) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "this Idempotency-Key was already used for another request; use a new key for each request");
        }
        return idempotencyRecord;
    }

    void forget(Instant now) {
        Instant oldest = now.minus(KEPT);
        while (!ages.isEmpty() && ages.peek().at.isBefore(oldest)) {
            known.remove(ages.remove().key);
        }
    }
}
