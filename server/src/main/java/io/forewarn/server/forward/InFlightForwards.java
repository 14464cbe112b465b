package io.forewarn.server.forward;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * Requests that were sent to a writer and are not answered yet. A writer that was stopped or cut off may never answer, so
 * its open requests are aborted when another node becomes the writer. Any thread.
 */
final class InFlightForwards {
    /** The request was aborted because another node became the writer. */
    static final class BrokenOff extends RefusedException {
        private static final long serialVersionUID = 1;

        BrokenOff() {
            super(
                    Problem.OUTCOME_UNKNOWN,
                    "another node writes now, and it is not known whether the one before has done this; look before you"
                            + " ask again");
        }
    }

    private record Attempt(String node, String life, HttpClientRequest asked, Promise<?> answer) {}

    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();

    /**
     * The answer, or {@link BrokenOff}.
     *
     * @param node who was asked
     * @param life since when that one runs, as it said
     */
    <T> Future<T> watched(String node, String life, HttpClientRequest asked, Future<T> answer) {
        Promise<T> whole = Promise.promise();
        Attempt attempt = new Attempt(node, life, asked, whole);
        underWay.add(attempt);
        answer.onComplete(done -> {
            underWay.remove(attempt);
            if (done.succeeded()) {
                whole.tryComplete(done.result());
            } else {
                whole.tryFail(done.cause());
            }
        });
        return whole.future();
    }

    /** @param lost whether a node, since it was started last, is the writer no more and another is */
    void abort(BiPredicate<String, String> lost) {
        for (Attempt attempt : underWay) {
            if (lost.test(attempt.node, attempt.life) && attempt.answer.tryFail(new BrokenOff())) {
                attempt.asked.reset();
            }
        }
    }

    int size() {
        return underWay.size();
    }
}
