package io.forewarn.server.forward;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node that does not write. */
class WriterForwarderTest {
    private static final ForwardedRequest REQUEST =
            ForwardedRequest.of("POST", "/v1/machines/web-1/restart", "application/json", new byte[0], "", "a-key");

    private static final Command.Sight SIGHTING = sight("web-1", Set.of(new EventId(new UUID(0, 1))));

    private static Command.Sight sight(String machine, Set<EventId> shown) {
        Actor actor = Actor.machine("default/" + machine, "");
        return new Command.Sight(new GroupId("default", "web"), machine, shown, Instant.EPOCH, actor);
    }

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<String> writer = new AtomicReference<>();
    private final AtomicReference<String> life = new AtomicReference<>("a-life");
    private final AtomicLong known = new AtomicLong();
    private final WriterClient client = new WriterClient(
            vertx,
            new HttpClientOptions(),
            new WriterLocator(
                    () -> "127.0.0.1:1",
                    () -> Optional.ofNullable(writer.get()),
                    () -> false,
                    node -> life.get(),
                    known::get),
            new RequestSigner(RequestSigner.fresh(), () -> "127.0.0.1:1", Instant::now));
    private final WriterForwarder forwarder = forwarder(Duration.ofHours(1));
    private final ReportForwarder reports = new ReportForwarder(vertx, client);

    private WriterForwarder forwarder(Duration patience) {
        return new WriterForwarder(vertx, client, patience, System::nanoTime);
    }

    @AfterEach
    void end() throws Exception {
        reports.close();
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aRequestWaitsForAWriterUntilItsCallerHasGone() throws Exception {
        AtomicReference<Future<ForwardedReply>> passed = new AtomicReference<>();
        AtomicInteger tries = new AtomicInteger();
        HttpServer node = vertx.createHttpServer()
                .requestHandler(request -> passed.set(forwarder.forward(REQUEST, () -> {
                    tries.incrementAndGet();
                    return request.response().closed();
                })));
        int port = node.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .actualPort();
        try (Socket caller = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
            caller.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            eventually(() -> tries.get() >= 2);
            assertFalse(passed.get().isComplete());
        }
        eventually(() -> passed.get().isComplete());
        assertEquals(Problem.NOT_WRITER, ((RefusedException) passed.get().cause()).problem());
    }

    @Test
    void aClosedForwarderSendsNothingAndComplainsOfNothing() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        vertx.exceptionHandler(thrown::set);
        Future<ForwardedReply> waiting = forwarder.forward(REQUEST, () -> false);
        reports.sighted(SIGHTING);
        reports.close();
        client.close();
        eventually(waiting::isComplete);
        assertTrue(forwarder.forward(REQUEST, () -> false).failed());
        assertEquals(null, thrown.get());
    }

    @Test
    void aWriterThatHangsIsNotSentMoreAndMore() throws Exception {
        Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
        AtomicReference<Boolean> hangs = new AtomicReference<>(true);
        AtomicInteger outcome = new AtomicInteger();
        HttpServer node = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    outcome.addAndGet(body.toString().split("web-1", -1).length - 1);
                    if (hangs.get()) {
                        held.add(request);
                    } else {
                        request.response().end();
                    }
                }));
        int port = node.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .actualPort();
        int many = ReportForwarder.AT_ONCE * (ForwardBuffer.MESSAGES + 2);
        for (int i = 0; i < many; i++) {
            reports.sighted(SIGHTING);
        }
        writer.set("127.0.0.1:" + port);
        eventually(() -> held.size() == ForwardBuffer.MESSAGES);
        AtomicInteger ticks = new AtomicInteger();
        vertx.setPeriodic(200, timer -> ticks.incrementAndGet());
        eventually(() -> ticks.get() >= 5);
        assertEquals(ForwardBuffer.MESSAGES, held.size());
        hangs.set(false);
        held.forEach(request -> request.response().end());
        eventually(() -> outcome.get() >= many);
    }

    /** Answers what comes with the next status, the last one for good, and keeps what it was told. */
    private Queue<String> writes(Integer... statuses) throws Exception {
        return answers("", statuses);
    }

    private Queue<String> answers(String answer, Integer... statuses) throws Exception {
        Queue<String> outcome = new ConcurrentLinkedQueue<>();
        Queue<Integer> next = new ConcurrentLinkedQueue<>(List.of(statuses));
        HttpServer node = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    outcome.add(body.toString());
                    int status = next.size() > 1 ? next.remove() : next.element();
                    request.response().setStatusCode(status).end(answer);
                }));
        int port = node.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .actualPort();
        writer.set("127.0.0.1:" + port);
        return outcome;
    }

    @Test
    void aNodeThatWasChosenAndDoesNotWriteYetIsAskedAgain() throws Exception {
        Queue<String> outcome = writes(421, 421, 200);
        ForwardedRequest withoutKey = ForwardedRequest.of("POST", "/v1/x", "application/json", new byte[0], "", null);
        Future<ForwardedReply> passed = forwarder.forward(withoutKey, () -> false);
        eventually(passed::isComplete);
        assertEquals(200, passed.result().status());
        assertEquals(3, outcome.size());
    }

    @Test
    void aRefusalByTheWriterIsPassedOn() throws Exception {
        Queue<String> outcome = writes(503, 200);
        Future<ForwardedReply> passed = forwarder.forward(REQUEST, () -> false);
        eventually(passed::isComplete);
        assertEquals(503, passed.result().status());
        assertEquals(1, outcome.size());
    }

    /** A writer that does not come to an end with its answers, and is never so silent that one gives up by oneself. */
    private AtomicInteger isLost() throws Exception {
        AtomicInteger heard = new AtomicInteger();
        NetServer node = vertx.createNetServer().connectHandler(socket -> {
            socket.handler(request -> heard.incrementAndGet());
            socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
            long dripping = vertx.setPeriodic(1_000, timer -> socket.write("."));
            socket.closeHandler(gone -> vertx.cancelTimer(dripping));
        });
        writer.set("127.0.0.1:"
                + node.listen(0, "127.0.0.1")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(60, TimeUnit.SECONDS)
                        .actualPort());
        return heard;
    }

    /** Passed on until it is heard: on a busy machine a connection may take longer than a relay waits for one. */
    private static Future<ForwardedReply> heard(
            WriterForwarder forwarder, ForwardedRequest request, AtomicInteger heard) {
        int before = heard.get();
        AtomicReference<Future<ForwardedReply>> passed = new AtomicReference<>(forwarder.forward(request, () -> false));
        eventually(() -> {
            if (heard.get() == before && passed.get().isComplete()) {
                passed.set(forwarder.forward(request, () -> false));
            }
            return heard.get() > before;
        });
        return passed.get();
    }

    private static Problem problem(Throwable failure) {
        return ((RefusedException) failure).problem();
    }

    @Test
    void aRequestWithAKeyGoesToTheNextWriterIfOneDoesNotAnswer() throws Exception {
        WriterForwarder impatient = forwarder(Duration.ZERO);
        AtomicInteger heard = isLost();
        Future<ForwardedReply> keyed = heard(impatient, REQUEST, heard);
        Future<ForwardedReply> unkeyed = heard(
                impatient, ForwardedRequest.of("POST", "/v1/x", "application/json", new byte[0], "", null), heard);
        Queue<String> outcome = writes(200);
        eventually(keyed::isComplete);
        assertEquals(200, keyed.result().status(), "it has one more try, however long it waited before");
        eventually(unkeyed::isComplete);
        assertEquals(Problem.OUTCOME_UNKNOWN, problem(unkeyed.cause()));
        assertEquals(1, outcome.size());
    }

    @Test
    void aRequestLostInARestartOfTheWriterIsRetried() throws Exception {
        AtomicInteger heard = isLost();
        Future<ForwardedReply> passed = forwarder.forward(REQUEST, () -> false);
        eventually(() -> heard.get() >= 1);
        life.set("another-life");
        eventually(() -> heard.get() >= 2);
        writes(200);
        eventually(passed::isComplete);
        assertEquals(200, passed.result().status());
    }

    private static final GroupId WEB = new GroupId("default", "web");
    private static final Actor MACHINE = Actor.machine("default/web-1", "");
    private static final Command APPROVAL = new Command.Approve(WEB, List.of(new EventId(new UUID(0, 1))), MACHINE);

    @Test
    void aMachinesApprovalIsRetriedAtTheNextWriterButNonIdempotentCommandsAreNot() throws Exception {
        AtomicInteger heard = isLost();
        CompletableFuture<CommandResult> approved = forwarder.submit(APPROVAL);
        CompletableFuture<CommandResult> postponed = forwarder.submit(
                new Command.Postpone(WEB, new EventId(new UUID(0, 1)), null, Duration.ofHours(1), MACHINE));
        eventually(() -> heard.get() >= 2);
        Queue<String> outcome = writes(204);
        assertEquals(CommandResult.NOTHING, approved.get(60, TimeUnit.SECONDS));
        ExecutionException unknown = assertThrows(ExecutionException.class, () -> postponed.get(60, TimeUnit.SECONDS));
        assertEquals(Problem.OUTCOME_UNKNOWN, problem(unknown.getCause()));
        assertEquals(1, outcome.size());
    }

    @Test
    void aRequestThatMayHaveArrivedIsNotReportedAsNotExecuted() throws Exception {
        AtomicInteger heard = isLost();
        CompletableFuture<CommandResult> approved = forwarder.submit(APPROVAL);
        eventually(() -> heard.get() >= 1);
        answers("{\"error\":\"it is over, nothing was approved\",\"problem\":\"bad-input\"}", 400);
        ExecutionException unknown = assertThrows(ExecutionException.class, () -> approved.get(60, TimeUnit.SECONDS));
        assertEquals(Problem.OUTCOME_UNKNOWN, problem(unknown.getCause()));
    }

    @Test
    void aRequestThatASteppedDownWriterDidNotExecuteGoesToTheNextOne() throws Exception {
        Queue<String> old = writes(421);
        CompletableFuture<CommandResult> recovered = forwarder.submit(new Command.Recovered(WEB, "web-1", MACHINE));
        eventually(() -> old.size() >= 2);
        writes(204);
        assertEquals(CommandResult.NOTHING, recovered.get(60, TimeUnit.SECONDS));
    }

    @Test
    void aRequestWithAKeyGoesToTheNextWriterIfItsOutcomeIsUnknown() throws Exception {
        Queue<String> old =
                answers("{\"error\":\"it is not known whether this was done\",\"problem\":\"outcome-unknown\"}", 503);
        Future<ForwardedReply> keyed = forwarder.forward(REQUEST, () -> false);
        Future<ForwardedReply> unkeyed = forwarder.forward(
                ForwardedRequest.of("POST", "/v1/x", "application/json", new byte[0], "", null), () -> false);
        eventually(unkeyed::isComplete);
        assertEquals(Problem.OUTCOME_UNKNOWN, problem(unkeyed.cause()));
        eventually(() -> old.size() >= 3);
        writes(200);
        eventually(keyed::isComplete);
        assertEquals(200, keyed.result().status());
    }

    @Test
    void problemsBetweenNodesAreNotBlamedOnTheMachine() throws Exception {
        answers("{\"error\":\"only nodes may ask here\",\"problem\":\"forbidden\"}", 403);
        ExecutionException refused = assertThrows(
                ExecutionException.class, () -> forwarder.submit(APPROVAL).get(60, TimeUnit.SECONDS));
        assertEquals(Problem.NOT_WRITER, problem(refused.getCause()));
        assertEquals(
                "the writer does not accept what this node forwards: only nodes may ask here",
                refused.getCause().getMessage());
    }

    /** The machine is told what the writer decided about it, and the header says that it did. */
    @Test
    void theWritersDecisionIsTheResponseToAMachinesCommand() throws Exception {
        HttpServer node = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> request.response()
                        .setStatusCode(403)
                        .putHeader(ForwardProtocol.COMMIT, "0")
                        .end("{\"error\":\"Forbidden\",\"problem\":\"forbidden\"}")));
        writer.set("127.0.0.1:"
                + node.listen(0, "127.0.0.1")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(60, TimeUnit.SECONDS)
                        .actualPort());
        ExecutionException refused = assertThrows(
                ExecutionException.class, () -> forwarder.submit(APPROVAL).get(60, TimeUnit.SECONDS));
        assertEquals(Problem.FORBIDDEN, problem(refused.getCause()));
        assertEquals("Forbidden", refused.getCause().getMessage());
    }

    /** Until all were heard: on a busy machine a connection may take longer than a relay waits for one. */
    private static void knock(WriterForwarder forwarder, AtomicInteger heard) {
        forwarder.forward(REQUEST, () -> false).onFailure(late -> {
            if (heard.get() < 64) {
                knock(forwarder, heard);
            }
        });
    }

    @Test
    void aWriterThatDoesNotAnswerIsNotReportedAsUnreachable() throws Exception {
        WriterForwarder impatient = forwarder(Duration.ofNanos(-1));
        AtomicInteger heard = isLost();
        for (int i = 0; i < 64; i++) {
            knock(impatient, heard);
        }
        eventually(() -> heard.get() >= 64);
        Future<ForwardedReply> more = impatient.forward(REQUEST, () -> false);
        eventually(more::isComplete);
        assertEquals(Problem.NOT_WRITER, problem(more.cause()));
        assertTrue(more.cause().getMessage().contains("has not answered 64 requests"), more.cause()::getMessage);
    }

    @Test
    void aSightingWaitsForAWriterThatTakesIt() throws Exception {
        writer.set("127.0.0.1:1");
        reports.sighted(SIGHTING);
        Queue<String> outcome = writes(421, 200);
        eventually(() -> outcome.size() >= 2);
        assertTrue(outcome.stream().allMatch(body -> body.contains("web-1")), outcome::toString);
    }

    @Test
    void aRefusedSightingIsRetriedOnce() throws Exception {
        Queue<String> outcome = writes(503, 500, 200);
        reports.sighted(SIGHTING);
        eventually(() -> outcome.size() >= 2);
        reports.sighted(sight("web-2", Set.of()));
        eventually(() -> outcome.size() >= 3);
        assertEquals(
                List.of(true, true, false),
                outcome.stream().map(body -> body.contains("\"web-1\"")).toList());
    }

    @Test
    void repeatedRefusalsDoNotBlockReportsOfPolls() throws Exception {
        Command.Denied denial =
                new Command.Denied("GET /v1/" + "x".repeat(8_000), Problem.FORBIDDEN, "no", Actor.person("eve", ""));
        for (int i = 0; i < 200_000; i++) {
            reports.denied(denial);
        }
        reports.sighted(SIGHTING);
        Queue<String> outcome = writes(200);
        eventually(() -> outcome.stream().anyMatch(body -> body.contains("web-1")));
        eventually(() -> outcome.stream().anyMatch(body -> body.contains("eve")));
        assertTrue(outcome.stream().allMatch(body -> body.length() <= 1 << 20));
    }

    @Test
    void longContentIsSplitIntoMessagesTheWriterAccepts() throws Exception {
        Set<EventId> many = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            many.add(new EventId(new UUID(0, i)));
        }
        for (int i = 0; i < 1_000; i++) {
            reports.sighted(sight("web-" + i, many));
        }
        Queue<String> outcome = writes(200);
        eventually(() -> outcome.stream().anyMatch(body -> body.contains("\"web-999\"")));
        assertTrue(outcome.size() > 1);
        assertTrue(outcome.stream().allMatch(body -> body.length() <= 1 << 20));
    }

    @Test
    void aWriterWithoutABootIdIsWaitedFor() throws Exception {
        life.set(null);
        Queue<String> outcome = writes(200);
        Future<ForwardedReply> passed = forwarder.forward(REQUEST, () -> false);
        assertFalse(passed.isComplete());
        life.set("a-life");
        eventually(passed::isComplete);
        assertEquals(200, passed.result().status());
        assertEquals(1, outcome.size());
    }

    @Test
    void anAnswerThatIsTooLongOrBreaksOffIsNone() throws Exception {
        Buffer part = Buffer.buffer(new byte[1 << 20]);
        HttpServer node = vertx.createHttpServer().requestHandler(request -> {
            request.response().setChunked(true);
            boolean endless = request.path().endsWith("/endless");
            for (int i = 0; i < (endless ? 40 : 1); i++) {
                request.response().write(part);
            }
            if (endless) {
                request.response().end();
            } else {
                request.connection().close();
            }
        });
        int port = node.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .actualPort();
        writer.set("127.0.0.1:" + port);
        for (Map.Entry<String, Problem> expected : Map.of(
                        "/v1/endless", Problem.BAD_INPUT, "/v1/half", Problem.OUTCOME_UNKNOWN)
                .entrySet()) {
            Future<ForwardedReply> passed = forwarder.forward(
                    ForwardedRequest.of("POST", expected.getKey(), "application/json", new byte[0], "", null),
                    () -> false);
            eventually(passed::isComplete);
            assertEquals(expected.getValue(), ((RefusedException) passed.cause()).problem());
        }
    }

    @Test
    void pollsCountAsReportedIfTheWriterConfirmsThem() throws Exception {
        List<ForwardedReports.Poll> polls =
                List.of(new ForwardedReports.Poll("default", "web-1", "2026-03-01T12:00:00Z", "2020-07-01"));
        writes(421, 503, 200);
        for (boolean sure : new boolean[] {false, false, true}) {
            Future<Void> outcome = reports.reportPolls(polls);
            eventually(outcome::isComplete);
            assertEquals(sure, outcome.succeeded());
        }
    }
}
