package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.server.control.ControlServer;
import io.forewarn.server.control.PeerNodes;
import io.forewarn.wire.ProblemStatus;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ErrorBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Forwards to the writer what it alone may decide. Any thread. */
final class WriterForwarder implements AutoCloseable {
    /** How much is told in one message. */
    static final int AT_ONCE = 2_000;

    /** The same in bytes: a fourth of what the writer takes. */
    private static final int BYTES_AT_ONCE = 1 << 20;

    private static final int ROOM_FOR_SIGHTINGS = 64 << 20;

    /** As many as the writer itself lets wait, or somewhat more. */
    private static final int ROOM_FOR_DENIALS = 1 << 20;

    /** An answer is held in memory, and none that is forwarded is near as long. */
    private static final int LARGEST_ANSWER = 32 << 20;

    /** More requests than this are not under way to the writer at once: of machines, and as many of people. */
    private static final int CONNECTIONS = 64;

    /** And of those that may take long: whoever sends many files keeps nobody waiting but others with files. */
    private static final int LONG_CONNECTIONS = 8;

    private static final long FLUSH_MILLIS = 200;
    private static final long PAUSE_MILLIS = 250;
    private static final long CONNECT_MILLIS = 1_000;
    private static final long IDLE_MILLIS = 20_000;

    /** A large fleet takes that long to be worked in, a long audit log to be checked. */
    private static final long LONG_MILLIS = 600_000;

    /** Longer than this nobody waits to see here what the writer has done. */
    private static final Duration CATCH_UP = Duration.ofSeconds(1);

    private static final String MACHINES = "/machines";

    /**
     * This node, and the one that writes, as far as this one knows.
     *
     * @param own its name
     * @param writer the name of the node that was chosen
     * @param writes whether this node does, by now
     * @param life what seals for a node are made out to; null if it has not said so yet
     * @param known the last commit this node knows of
     */
    record Roles(
            Supplier<String> own,
            Supplier<Optional<String>> writer,
            BooleanSupplier writes,
            UnaryOperator<String> life,
            LongSupplier known) {}

    private final Vertx vertx;
    private final Roles roles;
    private final RequestSigner signer;
    private final Duration patience;
    private final LongSupplier elapsedNanos;
    private final HttpClient machines;
    private final HttpClient people;
    private final HttpClient files;
    private final ForwardBuffer sightings = new ForwardBuffer(ROOM_FOR_SIGHTINGS, true);

    /** Of their own: whoever has himself refused over and over must not keep the writer from hearing machines. */
    private final ForwardBuffer denials = new ForwardBuffer(ROOM_FOR_DENIALS, false);

    private final InFlightForwards inFlightForwards = new InFlightForwards();
    private final ForwardCounters counters = new ForwardCounters();
    private final CommitBarrier barrier;
    private final long flushing;
    private volatile boolean closed;

    /** @param patience how long a request waits for a writer to be there */
    WriterForwarder(
            Vertx vertx,
            HttpClientOptions options,
            Roles roles,
            RequestSigner signer,
            Duration patience,
            LongSupplier elapsedNanos) {
        this.vertx = vertx;
        this.roles = roles;
        this.signer = signer;
        this.patience = patience;
        this.elapsedNanos = elapsedNanos;
        this.machines = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.people = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.files = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(LONG_CONNECTIONS));
        this.barrier = new CommitBarrier(vertx, roles.known(), CATCH_UP);
        this.flushing = vertx.setPeriodic(FLUSH_MILLIS, timer -> {
            inFlightForwards.abort(this::isLost);
            flush(sightings);
            flush(denials);
        });
    }

    /** Something a machine says. */
    CompletableFuture<CommandResult> submit(Command command) {
        ForwardedCommand word = ForwardedCommand.of(command).orElse(null);
        if (word == null) {
            return misdirected();
        }
        PeerNodes.Passed message = machines(new ForwardedCommand.Words(List.of(word), null));
        // What a machine said holds, whether or not it waits for the answer.
        Errand<CommandResult> errand =
                new Errand<>(() -> once(message).compose(WriterForwarder::outcomeOf), word.isIdempotent(), () -> false);
        return run(errand).toCompletionStage().toCompletableFuture();
    }

    /** Reached only if this node stopped writing after the request was let in. */
    CompletableFuture<CommandResult> misdirected() {
        return CompletableFuture.failedFuture(
                new PeerNodes.Misdirected("this node does not write; ask the one that does"
                        + roles.writer().get().map(w -> ", " + w).orElse(", once there is one")));
    }

    /** The same from the writer's thread, which has better to do. */
    CompletableFuture<CommandResult> submitElsewhere(Command command) {
        return CompletableFuture.supplyAsync(() -> command, step -> vertx.runOnContext(v -> step.run()))
                .thenCompose(this::submit);
    }

    private static Future<CommandResult> outcomeOf(PeerNodes.Reply reply) {
        if (reply.status() != 200) {
            return Future.failedFuture(refusalOf(reply));
        }
        try {
            ForwardedCommand.Outcome outcome = Json.answer(ForwardedCommand.Outcomes.class, reply.body())
                    .told()
                    .get(0);
            if (outcome.problem() != null) {
                Problem problem = Problem.valueOf(outcome.problem());
                return Future.failedFuture(
                        problem == Problem.NOT_WRITER
                                ? new NotDone(outcome.sentence())
                                : new RefusedException(problem, outcome.sentence()));
            }
            return Future.succeededFuture(new CommandResult(
                    outcome.events().stream()
                            .map(id -> EventId.parse(id).orElseThrow())
                            .toList(),
                    outcome.changes()));
        } catch (IOException | RuntimeException unreadable) {
            return Future.failedFuture(notKnown());
        }
    }

    /** Of a whole message. What is wrong with that is between nodes: no machine must act, and nothing was done. */
    private static RefusedException refusalOf(PeerNodes.Reply reply) {
        ErrorBody error = errorOf(reply);
        Problem problem = problemOf(error);
        if (problem == null) {
            return notKnown();
        }
        return ProblemStatus.passing(problem)
                ? new RefusedException(problem, error.error())
                : new RefusedException(
                        Problem.NOT_WRITER, "the writer does not accept what this node forwards: " + error.error());
    }

    private static Problem problemOf(ErrorBody error) {
        return error == null || error.problem() == null
                ? null
                : EnumNames.parse(Problem.class, error.problem()).orElse(null);
    }

    /** Null if it is none that is understood. */
    private static ErrorBody errorOf(PeerNodes.Reply reply) {
        try {
            return Json.answer(ErrorBody.class, reply.body());
        } catch (IOException | RuntimeException unreadable) {
            return null;
        }
    }

    /** What a machine was shown. A sighting that is lost all the same is told again at a later poll. */
    void sighted(ForwardedCommand sighting) {
        sightings.add(sighting);
    }

    /** What somebody was refused here. */
    void denied(ForwardedCommand denial) {
        denials.add(denial);
    }

    private void flush(ForwardBuffer crowd) {
        if (roles.writer().get().isEmpty() || !crowd.mayBeTold()) {
            return;
        }
        List<ForwardBuffer.Waiting> some = crowd.take(AT_ONCE, BYTES_AT_ONCE);
        List<ForwardedCommand> said =
                some.stream().map(ForwardBuffer.Waiting::word).toList();
        once(machines(new ForwardedCommand.Words(said, null))).onComplete(told -> {
            crowd.over();
            if (told.failed() && told.cause() instanceof NotDone) {
                crowd.undelivered(some);
            } else if (told.failed()) {
                crowd.unknown(some);
            } else if (told.result().status() != 200) {
                crowd.refused(some);
            }
        });
    }

    /** Who asked here. Fails if it is not sure that the writer knows. */
    Future<Void> tell(List<ForwardedCommand.Poll> polls) {
        return once(machines(new ForwardedCommand.Words(null, polls)))
                .compose(reply ->
                        reply.status() == 200 ? Future.succeededFuture() : Future.failedFuture(refusalOf(reply)));
    }

    private static PeerNodes.Passed machines(ForwardedCommand.Words words) {
        return PeerNodes.Passed.of("POST", MACHINES, "application/json", Json.write(words), "", null);
    }

    /**
     * Anything else, as it came in. Sent again only if nothing was done about it, or it has a key that lets it be done once.
     *
     * @param gone whether its caller has gone: who gave up may ask again elsewhere, or want something else by now
     */
    Future<PeerNodes.Reply> pass(PeerNodes.Passed request, BooleanSupplier gone) {
        boolean repeatable = request.key() != null || request.method().equals("GET");
        return run(new Errand<>(() -> once(request).compose(WriterForwarder::known), repeatable, gone));
    }

    /** A writer that was replaced while it wrote says itself that it does not know: the next one does. */
    private static Future<PeerNodes.Reply> known(PeerNodes.Reply reply) {
        boolean doubt =
                reply.status() == ProblemStatus.of(Problem.NOT_KNOWN) && problemOf(errorOf(reply)) == Problem.NOT_KNOWN;
        return doubt ? Future.failedFuture(notKnown()) : Future.succeededFuture(reply);
    }

    /**
     * Something a writer is to hear of.
     *
     * @param repeatable whether it may be sent again when it is not known if it was done
     */
    private record Errand<T>(Supplier<Future<T>> attempt, boolean repeatable, BooleanSupplier gone) {}

    private <T> Future<T> run(Errand<T> errand) {
        return run(errand, elapsedNanos.getAsLong() + patience.toNanos(), false);
    }

    /** @param doubt whether an earlier attempt may have done it: then no later one can say that nothing was done */
    private <T> Future<T> run(Errand<T> errand, long until, boolean doubt) {
        return errand.attempt.get().recover(failure -> {
            boolean unknown = failure instanceof RefusedException refusal && refusal.problem() == Problem.NOT_KNOWN;
            boolean again = failure instanceof NotDone || unknown && errand.repeatable;
            Throwable told = doubt && !unknown ? notKnown() : failure;
            long now = elapsedNanos.getAsLong();
            // The writer that was waited for is gone. The next one is given as much time.
            long limit = failure instanceof InFlightForwards.BrokenOff ? now + patience.toNanos() : until;
            if (!again || closed || now - limit > 0) {
                return Future.failedFuture(told);
            }
            Promise<Void> pause = Promise.promise();
            vertx.setTimer(PAUSE_MILLIS, timer -> pause.complete());
            return pause.future()
                    .compose(v -> errand.gone.getAsBoolean()
                            ? Future.failedFuture(told)
                            : run(errand, limit, doubt || unknown));
        });
    }

    /** Not if there is none at present: the one that was may still answer, and knows best. */
    private boolean isLost(String node, String life) {
        String now = roles.life().apply(node);
        return roles.writer().get().filter(writer -> !writer.equals(node)).isPresent()
                || now != null && !now.equals(life);
    }

    /** It did not leave this node, or came to one that does not write. */
    static final class NotDone extends RefusedException {
        private static final long serialVersionUID = 1;

        NotDone(String sentence) {
            super(Problem.NOT_WRITER, sentence);
        }
    }

    private Future<PeerNodes.Reply> once(PeerNodes.Passed request) {
        return counters.counted(attempt(request), failure -> failure instanceof NotDone);
    }

    private Future<PeerNodes.Reply> attempt(PeerNodes.Passed request) {
        if (closed) {
            return Future.failedFuture(new NotDone("this node is ending; try another"));
        }
        String name = roles.writer().get().orElse("");
        HostPort writer = HostPort.parse(name).orElse(null);
        if (writer == null) {
            return Future.failedFuture(new NotDone("no node writes at present; try again in a moment"));
        }
        // What has waited for a writer finds it here: it comes in by the same door as from anywhere else.
        if (name.equals(roles.own().get()) && !roles.writes().getAsBoolean()) {
            return Future.failedFuture(new NotDone("this node begins to write; try again in a moment"));
        }
        String life = roles.life().apply(name);
        if (life == null) {
            return Future.failedFuture(
                    new NotDone("the writer " + writer + " has not made itself known yet; try again in a moment"));
        }
        RequestOptions options = new RequestOptions()
                .setHost(writer.host())
                .setPort(writer.port())
                .setMethod(HttpMethod.valueOf(request.method()))
                .setURI(ControlServer.INTERNAL + request.uri())
                .setConnectTimeout(CONNECT_MILLIS)
                .setIdleTimeout(takesLong(request) ? LONG_MILLIS : IDLE_MILLIS);
        signer.seal(name, life, request).forEach(options::putHeader);
        return way(request)
                .request(options)
                .recover(unreachable -> Future.failedFuture(new NotDone(
                        (inFlightForwards.size() >= CONNECTIONS
                                ? "the writer " + writer + " has not answered " + inFlightForwards.size()
                                        + " requests of this node yet, and gets no more; try again in a moment"
                                : "the writer " + writer + " cannot be reached, try again in a moment: "
                                        + ConnectErrors.why(unreachable, name)))))
                .compose(asked -> inFlightForwards.watched(name, life, asked, replyOf(asked, request)))
                .compose(answer -> answer.reply.status() == PeerNodes.Misdirected.STATUS
                        ? Future.failedFuture(new NotDone("the node that was chosen to write does not yet, or does not"
                                + " any more; try again in a moment"))
                        : barrier.of(answer.commit).map(answer.reply));
    }

    private HttpClient way(PeerNodes.Passed request) {
        return takesLong(request) ? files : request.uri().equals(MACHINES) ? machines : people;
    }

    private static boolean takesLong(PeerNodes.Passed request) {
        return request.file() != null || request.method().equals("GET");
    }

    /** @param commit what it is founded on */
    private record Founded(PeerNodes.Reply reply, long commit) {}

    private Future<Founded> replyOf(HttpClientRequest asked, PeerNodes.Passed request) {
        return send(asked, request)
                .compose(response -> body(response).map(body -> new Founded(reply(response, body), commit(response))))
                .recover(lost -> Future.failedFuture(lost instanceof RefusedException ? lost : notKnown()));
    }

    private static Future<Buffer> body(HttpClientResponse response) {
        Promise<Buffer> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(whole::tryFail)
                .endHandler(v -> whole.tryComplete(body))
                .handler(part -> {
                    if (body.length() + part.length() <= LARGEST_ANSWER) {
                        body.appendBuffer(part);
                    } else if (whole.tryFail(tooLong())) {
                        response.request().reset();
                    }
                });
        return whole.future();
    }

    private Future<HttpClientResponse> send(HttpClientRequest asked, PeerNodes.Passed request) {
        if (request.file() == null) {
            return asked.send(Buffer.buffer(request.body()));
        }
        return vertx.fileSystem()
                .open(request.file().toString(), new OpenOptions().setRead(true))
                .compose(file -> asked.setChunked(true).send(file).onFailure(lost -> file.close()));
    }

    private static PeerNodes.Reply reply(HttpClientResponse response, Buffer body) {
        String type = response.getHeader("Content-Type");
        return new PeerNodes.Reply(
                response.statusCode(),
                type == null ? "application/json" : type,
                response.getHeader("Retry-After"),
                body.getBytes());
    }

    /** What an answer is founded on; 0 if an older release gave it. */
    private static long commit(HttpClientResponse response) {
        String commit = response.getHeader(PeerNodes.COMMIT);
        return commit != null && commit.matches("\\d{1,18}") ? Long.parseLong(commit) : 0;
    }

    /** How much was forwarded, by what came of it. */
    Map<String, LongSupplier> passedOn() {
        return counters.counts();
    }

    /** This node knows of another commit. */
    void caughtUp() {
        barrier.look();
    }

    /** Nothing is forwarded any more. */
    @Override
    public void close() {
        closed = true;
        vertx.cancelTimer(flushing);
    }

    private static RefusedException tooLong() {
        return new RefusedException(
                Problem.BAD_INPUT,
                "the answer is longer than " + (LARGEST_ANSWER >> 20)
                        + " MiB, which no node forwards; ask the writer itself, or for less with 'limit'");
    }

    private static RefusedException notKnown() {
        return new RefusedException(
                Problem.NOT_KNOWN, "it is not known whether this was done; look before you ask again");
    }
}
