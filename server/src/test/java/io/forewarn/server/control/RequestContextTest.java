package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.server.forward.ForwardedReply;
import io.forewarn.server.http.InFlightRequests;
import io.forewarn.wire.control.ClockBody;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests on a real socket, whose answers come from elsewhere. */
class RequestContextTest {
    private final Vertx vertx = Vertx.vertx();
    private final WorkerPools workers = new WorkerPools(vertx);
    private final InFlightRequests inFlightRequests = new InFlightRequests();
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void anAnswerIsSpeltInTheRequestsContextAndNotOnTheWritersThread() throws Exception {
        CompletableFuture<String> decided = new CompletableFuture<>();
        HttpResponse<String> response = ask(request -> {
            call(request).after(decided, now -> {
                threads.add(Thread.currentThread().getName());
                return new ClockBody("manual", now);
            });
            elsewhere(() -> decided.complete("then"));
        });
        assertEquals(200, response.statusCode());
        onlyEventLoops();
    }

    @Test
    void aLongAnswerIsWorkedOutNeitherByTheWriterNorByAnEventLoop() throws Exception {
        CompletableFuture<String> decided = new CompletableFuture<>();
        HttpResponse<String> response = ask(request -> {
            call(request).afterWorking(decided, now -> {
                WorkerPools.mustNotBeEventLoop();
                threads.add(Thread.currentThread().getName());
                return new ClockBody("manual", now);
            });
            assertFalse(inFlightRequests.over(vertx).isComplete(), "somebody waits for it");
            elsewhere(() -> decided.complete("then"));
        });
        assertEquals(200, response.statusCode());
        assertFalse(threads.peek().equals("writer"));
    }

    @Test
    void aFailureIsLoggedInTheRequestsContextAndNotOnTheWritersThread() throws Exception {
        CompletableFuture<String> decided = new CompletableFuture<>();
        HttpResponse<String> response = ask(request -> {
            call(request).after(decided, now -> now);
            elsewhere(() -> decided.completeExceptionally(new IllegalStateException("a fault")));
        });
        assertEquals(500, response.statusCode());
        onlyEventLoops();
    }

    @Test
    void aNodeIsAnsweredInTheRequestsContextAndNotOnTheWritersThread() throws Exception {
        CompletableFuture<String> decided = new CompletableFuture<>();
        HttpResponse<String> response = ask(request -> {
            request.response()
                    .headersEndHandler(v -> threads.add(Thread.currentThread().getName()));
            call(request).afterForwarded(decided);
            elsewhere(() -> decided.complete("then"));
        });
        assertEquals(204, response.statusCode());
        onlyEventLoops();
    }

    @Test
    void aForwardedUnauthorizedResponseNamesTheScheme() throws Exception {
        HttpResponse<String> response =
                ask(request -> call(request).reply(ForwardedReply.of(401, "application/json", new byte[0])));
        assertEquals(401, response.statusCode());
        assertEquals("Bearer", response.headers().firstValue("WWW-Authenticate").orElse(null));
    }

    @Test
    void shutdownWaitsForTheWritersResponse() throws Exception {
        assertTrue(inFlightRequests.over(vertx).isComplete(), "nobody waits for anything");
        CompletableFuture<String> decided = new CompletableFuture<>();
        Queue<Boolean> over = new ConcurrentLinkedQueue<>();
        HttpResponse<String> response = ask(request -> {
            call(request).after(decided, now -> new ClockBody("manual", now));
            over.add(inFlightRequests.over(vertx).isComplete());
            elsewhere(() -> decided.complete("then"));
        });
        assertEquals(200, response.statusCode());
        assertEquals(List.of(false), List.copyOf(over));
        assertTrue(inFlightRequests.over(vertx).isComplete(), "it is answered");
    }

    private static CompletableFuture<String> notDone() {
        return CompletableFuture.failedFuture(
                new RefusedException(Problem.NOT_WRITER, "this node does not write any more"));
    }

    @Test
    void aRequestThatAFormerWriterDidNotExecuteGoesToAnother() throws Exception {
        HttpResponse<String> local = ask(request -> {
            RequestContext call = call(request);
            call.otherwise(() -> call.reply(ForwardedReply.of(202, "text/plain", new byte[0])));
            call.after(notDone(), now -> now);
        });
        assertEquals(202, local.statusCode());
        HttpResponse<String> alone = ask(request -> call(request).after(notDone(), now -> now));
        assertEquals(503, alone.statusCode());
        HttpResponse<String> passedOn = ask(request -> {
            RequestContext call = call(request);
            call.passedOn("/v1/x");
            call.after(notDone(), now -> now);
        });
        assertEquals(421, passedOn.statusCode(), "the node that asks may ask the next one");
    }

    @Test
    void aRequestLineMayNameTheWholeAddress() throws Exception {
        Queue<String> uris = new ConcurrentLinkedQueue<>();
        int port = listen(request -> {
            uris.add(call(request).uri());
            request.response().end();
        });
        for (String target : List.of("http://a.example:81/v1/x?a=b", "/v1/x?a=b", "http://a.example/v1/x", "/v1/x?")) {
            try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
                socket.getOutputStream()
                        .write(("GET " + target + " HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getInputStream().readAllBytes();
            }
        }
        assertEquals(List.of("/v1/x?a=b", "/v1/x?a=b", "/v1/x", "/v1/x?"), List.copyOf(uris));
    }

    @Test
    void anUploadThatDoesNotFitOnDiskIsNotApplied() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "there is no /dev/full here");
        CompletableFuture<Path> received = new CompletableFuture<>();
        ask(request -> {
            request.pause();
            Promise<Path> whole = Promise.promise();
            whole.future().onComplete(done -> {
                if (done.succeeded()) {
                    received.complete(done.result());
                } else {
                    received.completeExceptionally(done.cause());
                }
                request.response().end();
            });
            vertx.fileSystem()
                    .open(full.toString(), new OpenOptions().setWrite(true).setCreate(false))
                    .onFailure(whole::tryFail)
                    .onSuccess(file -> FleetHandlers.receive(request, 1 << 20, file, full, whole));
        });
        ExecutionException refused = assertThrows(ExecutionException.class, () -> received.get(30, TimeUnit.SECONDS));
        assertInstanceOf(RefusedException.class, refused.getCause());
    }

    private RequestContext call(HttpServerRequest request) {
        Context context = vertx.getOrCreateContext();
        return new RequestContext(
                request,
                context,
                workers,
                line -> threads.add(Thread.currentThread().getName()),
                inFlightRequests,
                (call, refusal) -> {},
                new RefusalLog(line -> {}));
    }

    private static void elsewhere(Runnable work) {
        new Thread(work, "writer").start();
    }

    private void onlyEventLoops() {
        assertEquals(1, threads.size());
        assertTrue(threads.peek().contains("eventloop"), threads.peek());
    }

    private int listen(Handler<HttpServerRequest> handler) throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        return server.actualPort();
    }

    private HttpResponse<String> ask(Handler<HttpServerRequest> handler) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listen(handler) + "/"))
                .POST(HttpRequest.BodyPublishers.ofString("machines: []\n"))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
