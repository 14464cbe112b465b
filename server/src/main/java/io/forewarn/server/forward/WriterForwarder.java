package io.forewarn.server.forward;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.wire.ProblemStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Forwards requests to the current writer, with retries. A request that certainly had no effect is sent again until there is
 * a writer; one that may have had an effect, only if repeating it changes nothing. Any thread.
 */
public final class WriterForwarder {
    private static final long PAUSE_MILLIS = 250;

    private final Vertx vertx;
    private final WriterClient client;
    private final Duration timeout;
    private final LongSupplier elapsedNanos;

    /** @param timeout how long a request waits for a writer */
    public WriterForwarder(Vertx vertx, WriterClient client, Duration timeout, LongSupplier elapsedNanos) {
        this.vertx = vertx;
        this.client = client;
        this.timeout = timeout;
        this.elapsedNanos = elapsedNanos;
    }

    /** Forwards a machine's command. Requests of people are forwarded whole, so their commands do not come here. */
    public CompletableFuture<CommandResult> submit(Command command) {
        ForwardedCommand forwarded = ForwardedCommand.of(command).orElse(null);
        if (forwarded == null) {
            return misdirected();
        }
        ForwardedRequest request = ForwardedRequest.message(ForwardProtocol.COMMAND, forwarded);
        // A machine's command is carried out even if the machine no longer waits.
        return retry(() -> client.send(request).compose(WriterForwarder::result), forwarded.isIdempotent(), () -> false)
                .toCompletionStage()
                .toCompletableFuture();
    }

    /** Refuses a command that arrived here because this node stopped writing after it had accepted the request. */
    public CompletableFuture<CommandResult> misdirected() {
        return CompletableFuture.failedFuture(
                new NotDoneException("this node is not the writer; send this to the writer"
                        + client.writer().map(writer -> ", " + writer).orElse(", once there is one")));
    }

    /** Forwards a machine's command from the writer's thread, without doing the work there. */
    public CompletableFuture<CommandResult> submitElsewhere(Command command) {
        return CompletableFuture.supplyAsync(() -> command, step -> vertx.runOnContext(v -> step.run()))
                .thenCompose(this::submit);
    }

    private static Future<CommandResult> result(ForwardedReply reply) {
        if (!reply.isRefusal()) {
            return Future.succeededFuture(CommandResult.NOTHING);
        }
        return Future.failedFuture(refusal(reply));
    }

    /** If the writer rejected the message itself, that is a problem between nodes: the machine did nothing wrong, and nothing was done. */
    static RefusedException refusal(ForwardedReply reply) {
        RefusedException refusal = reply.refusal().orElseGet(WriterClient::outcomeUnknown);
        return reply.isDecided() || ProblemStatus.passing(refusal.problem())
                ? refusal
                : new RefusedException(
                        Problem.NOT_WRITER,
                        "the writer does not accept what this node forwards: " + refusal.getMessage());
    }

    /**
     * Forwards any other request unchanged.
     *
     * @param gone whether the caller has disconnected; it may have repeated the request elsewhere
     */
    public Future<ForwardedReply> forward(ForwardedRequest request, BooleanSupplier gone) {
        return retry(() -> client.send(request).compose(WriterForwarder::known), request.isRepeatable(), gone);
    }

    /** A writer that was replaced during a commit answers OUTCOME_UNKNOWN itself; the next writer knows the outcome. */
    private static Future<ForwardedReply> known(ForwardedReply reply) {
        boolean doubt = reply.status() == ProblemStatus.of(Problem.OUTCOME_UNKNOWN)
                && reply.refusal()
                        .filter(refusal -> refusal.problem() == Problem.OUTCOME_UNKNOWN)
                        .isPresent();
        return doubt ? Future.failedFuture(WriterClient.outcomeUnknown()) : Future.succeededFuture(reply);
    }

    private <T> Future<T> retry(Supplier<Future<T>> attempt, boolean repeatable, BooleanSupplier gone) {
        return new Retry<>(attempt, repeatable, gone).run(elapsedNanos.getAsLong() + timeout.toNanos(), false);
    }

    private final class Retry<T> {
        private final Supplier<Future<T>> attempt;
        private final boolean repeatable;
        private final BooleanSupplier gone;

        Retry(Supplier<Future<T>> attempt, boolean repeatable, BooleanSupplier gone) {
            this.attempt = attempt;
            this.repeatable = repeatable;
            this.gone = gone;
        }

        /** @param doubt whether an earlier attempt may have had an effect; then the caller must not be told that nothing was done */
        Future<T> run(long until, boolean doubt) {
            return attempt.get().recover(failure -> {
                boolean unknown =
                        failure instanceof RefusedException refusal && refusal.problem() == Problem.OUTCOME_UNKNOWN;
                boolean again = failure instanceof NotDoneException || unknown && repeatable;
                Throwable reported = doubt && !unknown ? WriterClient.outcomeUnknown() : failure;
                long now = elapsedNanos.getAsLong();
                // Another node became the writer; it gets the full time again.
                long limit = failure instanceof InFlightForwards.AbortedException ? now + timeout.toNanos() : until;
                if (!again || client.isClosed() || now - limit > 0) {
                    return Future.failedFuture(reported);
                }
                Promise<Void> pause = Promise.promise();
                vertx.setTimer(PAUSE_MILLIS, timer -> pause.complete());
                return pause.future()
                        .compose(v ->
                                gone.getAsBoolean() ? Future.failedFuture(reported) : run(limit, doubt || unknown));
            });
        }
    }
}
