package io.forewarn.server.control;

import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Sends an interim response now and then while a request takes minutes, so that nobody takes its connection for an idle one and
 * closes it. The status of the final response stays open, which it would not if the body were begun. The interim status is 100:
 * every client must skip it, and some that are still in use take 102 for the final one.
 */
final class InterimResponses {
    /** Less than the minute after which proxies close a connection; not less, because Java's HttpClient takes eight of them at most. */
    static final Duration USUAL = Duration.ofSeconds(50);

    private InterimResponses() {}

    /** Sends them until something is complete, or the response is over. */
    static void until(CompletionStage<?> complete, HttpServerRequest request, Context context, Duration every) {
        if (request.version() == HttpVersion.HTTP_1_0) {
            return; // It knows no interim responses.
        }
        HttpServerResponse response = request.response();
        long timer = context.owner()
                .setPeriodic(
                        every.toMillis(),
                        id -> context.runOnContext(v -> {
                            if (response.ended() || response.closed()) {
                                context.owner().cancelTimer(id);
                            } else if (!response.headWritten() && !isComplete(complete)) {
                                response.writeContinue();
                            }
                        }));
        complete.whenComplete((result, failure) -> context.owner().cancelTimer(timer));
    }

    private static boolean isComplete(CompletionStage<?> stage) {
        return stage.toCompletableFuture().isDone();
    }
}
