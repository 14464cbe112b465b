package io.forewarn.server.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers that the writer is still working out. Whoever ends waits for them a little: what is done must not look as if it might
 * not have been. Readers, streams and who waits for a change are not among them; they ask again elsewhere. Any thread.
 */
public final class InFlightRequests {
    private static final long LONGEST_MILLIS = 2_000;
    private static final long BETWEEN_LOOKS_MILLIS = 10;

    private final Set<HttpServerResponse> open = ConcurrentHashMap.newKeySet();

    /** From now until it is answered, or nobody is there to be answered. */
    public void add(HttpServerResponse response) {
        if (isOver(response)) {
            return;
        }
        open.add(response);
        response.endHandler(ended -> open.remove(response));
        if (isOver(response)) {
            open.remove(response);
        }
    }

    private static boolean isOver(HttpServerResponse response) {
        return response.ended() || response.closed();
    }

    /** Completes at once if there is none, else when the last is answered, or two seconds have passed. Never fails. */
    public Future<Void> over(Vertx vertx) {
        Promise<Void> over = Promise.promise();
        look(vertx, LONGEST_MILLIS / BETWEEN_LOOKS_MILLIS, over);
        return over.future();
    }

    private void look(Vertx vertx, long looks, Promise<Void> over) {
        open.removeIf(InFlightRequests::isOver);
        if (open.isEmpty() || looks == 0) {
            over.complete();
        } else {
            vertx.setTimer(BETWEEN_LOOKS_MILLIS, timer -> look(vertx, looks - 1, over));
        }
    }
}
