package io.forewarn.server.control;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.server.forward.ForwardProtocol;
import io.forewarn.server.forward.ForwardedReply;
import io.forewarn.server.http.InFlightRequests;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.wire.ProblemStatus;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ErrorBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Represents one request and its response. Responses may come from any thread; they are sent on the request's own. */
final class RequestContext {
    /** Writes a long response. */
    interface Writing {
        void to(OutputStream out) throws Exception;
    }

    private static final String JSON = "application/json; charset=utf-8";
    private static final int LONGEST_KEY = 128;
    private static final long LINGER_MILLIS = 1_000;
    private static final int TAG_DIGITS = 32;

    private final HttpServerRequest request;
    private final Context context;
    private final WorkerPools workers;
    private final Log log;
    private final InFlightRequests inFlightRequests;
    private final BiConsumer<RequestContext, RefusedException> refused;
    private final RefusalLog refusals;
    private volatile boolean asked;
    private Route.Match match;
    private Caller caller;
    private BooleanSupplier stillAdmitted = () -> true;
    private byte[] body = new byte[0];
    private String uri;
    private Runnable otherwise;

    /** @param refused receives refusals before the writer was asked, which audits its own */
    RequestContext(
            HttpServerRequest request,
            Context context,
            WorkerPools workers,
            Log log,
            InFlightRequests inFlightRequests,
            BiConsumer<RequestContext, RefusedException> refused,
            RefusalLog refusals) {
        this.refused = refused;
        this.refusals = refusals;
        this.request = request;
        this.context = context;
        this.workers = workers;
        this.log = log;
        this.inFlightRequests = inFlightRequests;
    }

    /** Marks the request as forwarded, with the original target. */
    void passedOn(String askedUri) {
        uri = askedUri;
    }

    /** Path and query, even of an absolute URL in the request line. */
    String uri() {
        if (uri != null) {
            return uri;
        }
        return request.query() == null ? request.path() : request.path() + "?" + request.query();
    }

    /** The path; for a forwarded request, the original one. */
    String path() {
        return uri == null ? request.path() : uri.replaceFirst("\\?.*", "");
    }

    void matched(Route.Match match) {
        this.match = match;
        MultiMap given = parameters();
        for (String name : given.names()) {
            if (!match.route().query().contains(name)) {
                String hint = NameRules.nearest(name, match.route().query())
                        .map(n -> "did you mean '" + n + "'?")
                        .orElse("known parameters are "
                                + String.join(", ", match.route().query()));
                throw new RefusedException(Problem.BAD_INPUT, "unknown query parameter '" + name + "'; " + hint);
            }
            if (given.getAll(name).size() > 1) {
                throw new RefusedException(Problem.BAD_INPUT, "the query parameter '" + name + "' is given twice");
            }
        }
    }

    MultiMap parameters() {
        try {
            return request.params();
        } catch (IllegalArgumentException malformed) {
            throw new RefusedException(Problem.BAD_INPUT, "the query is not well formed: " + malformed.getMessage());
        }
    }

    /** @param still whether the caller's token is still valid */
    void admitted(Caller by, BooleanSupplier still) {
        caller = by;
        stillAdmitted = still;
    }

    /** Between the head of a request and the end of its body a token may have been revoked. */
    void mustStillBeAdmitted() {
        if (!stillAdmitted.getAsBoolean()) {
            throw new RefusedException(
                    Problem.UNAUTHENTICATED, "token '" + caller.name() + "' was revoked or has expired meanwhile");
        }
    }

    /** Sets what to do instead, once, if this node is not the writer and nothing was done. */
    void otherwise(Runnable step) {
        otherwise = step;
    }

    /** Answers another node once what it forwarded is decided: it needs to know no more than that. */
    void afterForwarded(CompletionStage<?> decided) {
        waits();
        // The writer completes it, and must not spend time on formatting responses.
        decided.whenComplete((result, failure) -> context.runOnContext(v -> {
            if (failure != null) {
                tell(failure);
            } else {
                noContent();
            }
        }));
    }

    void noContent() {
        onContext(() -> {
            if (!isOver()) {
                request.response().setStatusCode(204).end();
            }
        });
    }

    /** Another part produces the response. Only in the request's context. */
    void waits() {
        inFlightRequests.add(request.response());
    }

    void received(byte[] bytes) {
        body = bytes;
    }

    HttpServerRequest request() {
        return request;
    }

    Route route() {
        return match.route();
    }

    String part(int index) {
        return match.parts().get(index);
    }

    Caller caller() {
        return caller;
    }

    byte[] body() {
        return body;
    }

    /** Parses the body; returns the default if there is none. */
    <T> T body(Class<T> type, T without) {
        return body.length == 0 ? without : Json.request(type, body);
    }

    /** Null if absent. */
    String query(String name) {
        return request.getParam(name);
    }

    long limit(long usual) {
        String text = query("limit");
        if (text == null) {
            return usual;
        }
        if (!text.matches("\\d{1,12}")) {
            throw new RefusedException(Problem.BAD_INPUT, "limit must be a whole number, not '" + text + "'");
        }
        return Long.parseLong(text);
    }

    boolean truth(String name, boolean usual) {
        String text = query(name);
        if (text == null) {
            return usual;
        }
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new RefusedException(Problem.BAD_INPUT, name + " must be true or false, not '" + text + "'");
    }

    /** Null if the request has no key. */
    Once once(byte[] bodyDigest) {
        String key = request.getHeader("Idempotency-Key");
        if (key == null) {
            return null;
        }
        if (key.isBlank() || key.length() > LONGEST_KEY) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the Idempotency-Key must have 1 to " + LONGEST_KEY + " characters");
        }
        MessageDigest digest = Secrets.sha256();
        digest.update((request.method().name() + " " + uri() + "\n").getBytes(StandardCharsets.UTF_8));
        digest.update(bodyDigest);
        return new Once(caller.identity() + "/" + key, Secrets.hex(digest.digest()));
    }

    Once once() {
        return once(Secrets.sha256().digest(body));
    }

    void json(Object answer) {
        send(200, JSON, Json.write(answer));
    }

    void text(int status, String type, String text) {
        send(status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    <T> void after(CompletionStage<T> future, Function<T, Object> answer) {
        asked = true;
        inFlightRequests.add(request.response());
        // The writer completes it, and must not spend time on formatting responses.
        future.whenComplete((value, failure) -> context.runOnContext(v -> {
            if (failure != null) {
                refuse(failure);
            } else {
                attempt(() -> json(answer.apply(value)));
            }
        }));
    }

    /** The same for what may take many minutes: the connection does not look idle meanwhile. */
    <T> void afterLong(CompletionStage<T> future, Function<T, Object> answer) {
        InterimResponses.until(future, request, context, InterimResponses.USUAL);
        after(future, answer);
    }

    /** The same for a response that would block an event loop for too long. */
    <T> void afterWorking(CompletionStage<T> future, Function<T, Object> answer) {
        asked = true;
        inFlightRequests.add(request.response());
        working(future, answer);
    }

    void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            refuse(failure);
        }
    }

    <T> Future<T> work(Callable<T> step) {
        return workers.brief(step);
    }

    /** For work that would block an event loop for too long. */
    void working(Callable<Object> answer) {
        workers.brief(answer).onComplete(done -> {
            if (done.failed()) {
                refuse(done.cause());
            } else {
                json(done.result());
            }
        });
    }

    /** The same, once the required value is available. */
    <T> void working(CompletionStage<T> needed, Function<T, Object> answer) {
        needed.whenComplete((value, failure) -> context.runOnContext(v -> {
            if (failure != null) {
                refuse(failure);
            } else {
                working(() -> answer.apply(value));
            }
        }));
    }

    /** For reads of the log, which are limited per caller. */
    void readingLog(Callable<Object> answer) {
        workers.readingLog(name(), tenant(), answer).onComplete(done -> {
            if (done.failed()) {
                refuse(done.cause());
            } else {
                json(done.result());
            }
        });
    }

    /** The same for bytes that a client may already have: then it gets 304. */
    void readingLog(String type, Callable<byte[]> answer) {
        workers.readingLog(name(), tenant(), answer).onComplete(done -> {
            if (done.failed()) {
                refuse(done.cause());
            } else {
                unlessKnown(type, done.result());
            }
        });
    }

    private void unlessKnown(String type, byte[] bytes) {
        String tag = "\"" + Secrets.hex(Secrets.sha256().digest(bytes)).substring(0, TAG_DIGITS) + "\"";
        String known = request.getHeader(FleetHandlers.IF_NONE_MATCH);
        boolean same = known != null
                && Arrays.stream(known.split(","))
                        .map(String::strip)
                        .anyMatch(
                                t -> t.equals("*") || t.replaceFirst("^W/", "").equals(tag));
        onContext(() -> {
            HttpServerResponse response = request.response();
            if (!isOver()) {
                response.putHeader("ETag", tag).putHeader("Cache-Control", "private, no-cache");
                if (same) {
                    response.setStatusCode(304).end();
                } else {
                    put(200, type, Buffer.buffer(bytes));
                }
            }
        });
    }

    private String tenant() {
        return caller == null || caller.everyTenant() ? null : caller.tenant();
    }

    private String name() {
        return caller == null ? "anybody" : caller.name();
    }

    void streaming(String type, Writing writing) {
        streaming(type, writing, workers::lasting);
    }

    /** The same for reads of the log. Completes when it has ended, successfully or not. */
    Future<Void> streamingLog(String type, Writing writing) {
        return streaming(type, writing, (name, step) -> workers.readingLog(name, tenant(), step));
    }

    private Future<Void> streaming(
            String type, Writing writing, BiFunction<String, Callable<Void>, Future<Void>> threads) {
        StreamedResponse out = new StreamedResponse(context, request.response(), StreamedResponse.Pace.USUAL);
        return threads.apply(name(), () -> {
                    context.runOnContext(
                            v -> request.response().setChunked(true).putHeader("Content-Type", type));
                    writing.to(out);
                    out.finish();
                    return null;
                })
                .onFailure(failure -> context.runOnContext(v -> {
                    if (request.response().headWritten()) {
                        out.cut();
                    } else {
                        request.response().setChunked(false);
                        refuse(failure);
                    }
                }));
    }

    /** A plan changes nothing, and a page asks for it anew with every key that is pressed. */
    boolean asksForChange() {
        return !request.method().name().equals("GET") && (match == null || match.route() != Route.ROLLOUT_PLAN);
    }

    /** Any thread. */
    void refuse(Throwable failure) {
        context.runOnContext(v -> tell(failure));
    }

    private void tell(Throwable failure) {
        Throwable cause = RefusedException.causeOf(failure);
        if (cause instanceof RefusedException refusal) {
            tell(refusal);
            return;
        }
        if (request.response().closed()) {
            return;
        }
        log.write(LogLine.error("control").with("path", path()).with("failure", cause));
        error(500, new ErrorBody("internal error; see the server's log", "internal", null));
    }

    private void tell(RefusedException refusal) {
        if (refusal.problem() == Problem.NOT_WRITER && otherwise != null) {
            Runnable once = otherwise;
            otherwise = null;
            attempt(once);
            return;
        }
        if (!asked) {
            refused.accept(this, refusal);
        }
        boolean misdirected = uri != null && refusal.problem() == Problem.NOT_WRITER;
        int status = misdirected ? ForwardProtocol.MISDIRECTED : ProblemStatus.of(refusal.problem());
        if (ProblemStatus.passing(refusal.problem())) {
            request.response().putHeader("Retry-After", "1");
        }
        if (refusal.problem() == Problem.UNAUTHENTICATED) {
            request.response().putHeader("WWW-Authenticate", "Bearer");
        }
        List<String> lines = refusal.getMessage().lines().toList();
        ErrorBody error = new ErrorBody(
                lines.size() == 1 ? lines.get(0) : lines.size() + " faults",
                EnumNames.of(refusal.problem()),
                lines.size() == 1 ? null : lines);
        if (caller != null && asksForChange()) {
            refusals.write(
                    caller.identity(),
                    LogLine.info("refused")
                            .with("request", request.method() + " " + path())
                            .with("problem", EnumNames.of(refusal.problem()))
                            .with("by", EnumNames.of(caller.actor().kind()))
                            .with("name", caller.name())
                            .with("from", caller.from())
                            .with("detail", refusal.getMessage()));
        }
        error(status, error);
    }

    /** Sends the response of another node. Thread-safe. */
    void reply(ForwardedReply reply) {
        onContext(() -> {
            if (reply.retryAfter() != null) {
                request.response().putHeader("Retry-After", reply.retryAfter());
            }
            if (reply.status() == ProblemStatus.of(Problem.UNAUTHENTICATED)) {
                request.response().putHeader("WWW-Authenticate", "Bearer");
            }
            put(reply.status(), reply.contentType(), Buffer.buffer(reply.body()));
        });
    }

    /** In the request's context only. */
    void error(int status, ErrorBody error) {
        if (!request.isEnded()) {
            // The rest of the request is discarded; the caller has a moment to read this.
            request.response().putHeader("Connection", "close");
            context.owner()
                    .setTimer(LINGER_MILLIS, timer -> request.connection().close());
        }
        send(status, JSON, Json.write(error));
    }

    /** Whether the request was answered or its connection is closed. Thread-safe. */
    boolean isOver() {
        return request.response().ended() || request.response().closed();
    }

    /** Resets the connection, so that an incomplete response does not look complete. Thread-safe. */
    void cut() {
        context.runOnContext(v -> request.response().reset());
    }

    private void send(int status, String type, byte[] bytes) {
        Buffer body = Buffer.buffer(bytes);
        put(status, type, type.equals(JSON) ? body.appendByte((byte) '\n') : body);
    }

    /** At once if that is where it is called. */
    private void onContext(Runnable step) {
        if (Vertx.currentContext() == context) {
            step.run();
        } else {
            context.runOnContext(v -> step.run());
        }
    }

    private void put(int status, String type, Buffer body) {
        onContext(() -> {
            HttpServerResponse response = request.response();
            if (!response.ended() && !response.closed()) {
                response.setStatusCode(status).putHeader("Content-Type", type).end(body);
            }
        });
    }
}
