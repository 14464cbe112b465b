package io.forewarn.server.forward;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.HostPort;
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
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Sends one signed request to the writer and reads its answer, which is delayed until this node has applied the commit that
 * it depends on. Fails with a {@link NotDoneException} if the request certainly had no effect. Any thread.
 */
public final class WriterClient implements AutoCloseable {
    /** Answers are held in memory, and none that is forwarded comes close to this. */
    private static final int LARGEST_ANSWER = 32 << 20;

    /** The most requests in flight to the writer, for machines and for people each. */
    private static final int CONNECTIONS = 64;

    /** The same for requests that may take long, so that a client that sends many files delays only other files. */
    private static final int LONG_CONNECTIONS = 8;

    private static final long ABORT_CHECK_MILLIS = 200;
    private static final long CONNECT_MILLIS = 1_000;
    private static final long IDLE_MILLIS = 20_000;

    /** Applying a large fleet or verifying a long audit log may take this long. */
    private static final long LONG_MILLIS = 600_000;

    /** How long an answer waits for this node to apply the writer's commit. */
    private static final Duration CATCH_UP = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final WriterLocator locator;
    private final RequestSigner signer;
    private final HttpClient machines;
    private final HttpClient people;
    private final HttpClient files;
    private final InFlightForwards inFlightForwards = new InFlightForwards();
    private final ForwardCounters counters = new ForwardCounters();
    private final CommitBarrier barrier;
    private final long abortCheck;
    private volatile boolean closed;

    public WriterClient(Vertx vertx, HttpClientOptions options, WriterLocator locator, RequestSigner signer) {
        this.vertx = vertx;
        this.locator = locator;
        this.signer = signer;
        this.machines = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.people = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.files = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(LONG_CONNECTIONS));
        this.barrier = new CommitBarrier(vertx, locator.known(), CATCH_UP);
        this.abortCheck = vertx.setPeriodic(ABORT_CHECK_MILLIS, timer -> inFlightForwards.abort(locator::isLost));
    }

    /** The name of the writer; empty if there is none. */
    Optional<String> writer() {
        return locator.writer().get();
    }

    /** Whether it was closed and sends nothing. */
    boolean isClosed() {
        return closed;
    }

    Future<ForwardedReply> send(ForwardedRequest request) {
        return counters.counted(attempt(request));
    }

    private Future<ForwardedReply> attempt(ForwardedRequest request) {
        if (closed) {
            return Future.failedFuture(new NotDoneException("this node is stopping; try another"));
        }
        String name = writer().orElse("");
        HostPort writer = HostPort.parse(name).orElse(null);
        if (writer == null) {
            return Future.failedFuture(new NotDoneException("there is no writer at present; try again in a moment"));
        }
        // A request that waited for a writer may find that it is this node; it is then sent to this node like to any
        // other.
        if (name.equals(locator.own().get()) && !locator.writes().getAsBoolean()) {
            return Future.failedFuture(new NotDoneException("this node is becoming the writer; try again in a moment"));
        }
        String bootId = locator.bootId().apply(name);
        if (bootId == null) {
            return Future.failedFuture(new NotDoneException(
                    "the writer " + writer + " has not made itself known yet; try again in a moment"));
        }
        RequestOptions options = new RequestOptions()
                .setHost(writer.host())
                .setPort(writer.port())
                .setMethod(HttpMethod.valueOf(request.method()))
                .setURI(ForwardProtocol.PREFIX + request.uri())
                .setConnectTimeout(CONNECT_MILLIS)
                .setIdleTimeout(request.takesLong() ? LONG_MILLIS : IDLE_MILLIS);
        signer.sign(name, bootId, request).forEach(options::putHeader);
        return pool(request)
                .request(options)
                .recover(unreachable -> Future.failedFuture(unreachable(name, unreachable)))
                .compose(outgoing -> inFlightForwards.watched(name, bootId, outgoing, replyOf(outgoing, request)))
                .compose(reply -> reply.status() == ForwardProtocol.MISDIRECTED
                        ? Future.failedFuture(new NotDoneException(
                                "the elected node is not the writer yet, or no longer; try again in a" + " moment"))
                        : barrier.of(reply.commit()).map(reply));
    }

    private HttpClient pool(ForwardedRequest request) {
        return request.takesLong() ? files : request.isOfMachines() ? machines : people;
    }

    private NotDoneException unreachable(String writer, Throwable why) {
        return new NotDoneException(
                inFlightForwards.size() >= CONNECTIONS
                        ? "the writer " + writer + " has not answered " + inFlightForwards.size()
                                + " requests of this node yet, and gets no more; try again in a moment"
                        : "the writer " + writer + " cannot be reached, try again in a moment: "
                                + ConnectErrorText.why(why, writer));
    }

    private Future<ForwardedReply> replyOf(HttpClientRequest outgoing, ForwardedRequest request) {
        return send(outgoing, request)
                .compose(response -> body(response).map(body -> reply(response, body)))
                .recover(lost -> Future.failedFuture(lost instanceof RefusedException ? lost : outcomeUnknown()));
    }

    private Future<HttpClientResponse> send(HttpClientRequest outgoing, ForwardedRequest request) {
        if (request.file() == null) {
            return outgoing.send(Buffer.buffer(request.body()));
        }
        return vertx.fileSystem()
                .open(request.file().toString(), new OpenOptions().setRead(true))
                .compose(file -> outgoing.setChunked(true).send(file).onFailure(lost -> file.close()));
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

    private static ForwardedReply reply(HttpClientResponse response, Buffer body) {
        String type = response.getHeader("Content-Type");
        String commit = response.getHeader(ForwardProtocol.COMMIT);
        return new ForwardedReply(
                response.statusCode(),
                type == null ? "application/json" : type,
                response.getHeader("Retry-After"),
                body.getBytes(),
                commit != null && commit.matches("\\d{1,18}") ? Long.parseLong(commit) : ForwardedReply.NONE);
    }

    /** Numbers of forwarded requests, by outcome. */
    public Map<String, LongSupplier> counts() {
        return counters.counts();
    }

    /** This node has applied another commit. */
    public void caughtUp() {
        barrier.release();
    }

    /** Sends nothing from now on. */
    @Override
    public void close() {
        closed = true;
        vertx.cancelTimer(abortCheck);
    }

    private static RefusedException tooLong() {
        return new RefusedException(
                Problem.BAD_INPUT,
                "the answer is longer than " + (LARGEST_ANSWER >> 20)
                        + " MiB, which no node forwards; ask the writer itself, or for less with 'limit'");
    }

    static RefusedException outcomeUnknown() {
        return new RefusedException(
                Problem.OUTCOME_UNKNOWN, "it is not known whether this was done; check before you repeat it");
    }
}
