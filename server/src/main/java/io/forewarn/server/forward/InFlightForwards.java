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
    static final class AbortedException extends RefusedException {
        private static final long serialVersionUID = 1;

        AbortedException() {
            super(
                    Problem.OUTCOME_UNKNOWN,
                    "another node is the writer now, and it is not known whether the former one did this; check before you"
                            + " repeat it");
        }
    }

    private record Attempt(String node, String bootId, HttpClientRequest request, Promise<?> answer) {}

    private final Set<Attempt> inFlight = ConcurrentHashMap.newKeySet();

    /**
     * Returns the answer, or fails with {@link AbortedException}.
     *
     * @param node the node it was sent to
     * @param bootId the id of that node's run
     */
    <T> Future<T> watched(String node, String bootId, HttpClientRequest request, Future<T> answer) {
        Promise<T> whole = Promise.promise();
        Attempt attempt = new Attempt(node, bootId, request, whole);
        inFlight.add(attempt);
        answer.onComplete(done -> {
            inFlight.remove(attempt);
            if (done.succeeded()) {
                whole.tryComplete(done.result());
            } else {
                whole.tryFail(done.cause());
            }
        });
        return whole.future();
    }

    /** @param lost whether a node, in the given run, is no longer the writer */
    void abort(BiPredicate<String, String> lost) {
        for (Attempt attempt : inFlight) {
            if (lost.test(attempt.node, attempt.bootId) && attempt.answer.tryFail(new AbortedException())) {
                attempt.request.reset();
            }
        }
    }

    int size() {
        return inFlight.size();
    }
}
