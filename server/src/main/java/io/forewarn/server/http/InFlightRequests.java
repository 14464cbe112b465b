package io.forewarn.server.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks requests that the writer is still processing, so that shutdown can wait for their responses: a caller should
 * learn that its change was made. Does not include reads, streams and long polls, which clients repeat elsewhere.
 * Thread-safe.
 */
public final class InFlightRequests {
    private static final long LONGEST_MILLIS = 2_000;
    private static final long BETWEEN_LOOKS_MILLIS = 10;

    private final Set<HttpServerResponse> open = ConcurrentHashMap.newKeySet();

    /** Tracks a response until it is sent or its connection is closed. */
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

    /** Completes when no request is in flight, or after two seconds. Never fails. */
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
