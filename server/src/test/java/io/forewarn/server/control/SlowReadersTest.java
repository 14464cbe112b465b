package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.NameRules;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.server.http.InFlightRequests;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Long answers on real sockets whose readers do not read, or leave. */
class SlowReadersTest {
    private static final int MANY = 40;

    private final Vertx vertx = Vertx.vertx();
    private final WorkerPools workers = new WorkerPools(vertx);
    private final List<Socket> readers = new ArrayList<>();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong begun = new AtomicLong();
    private final CompletableFuture<String> dropped = new CompletableFuture<>();
    private HttpServer server;

    @BeforeEach
    void listen() throws Exception {
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        workers.close();
        for (Socket reader : readers) {
            reader.close();
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private void handle(HttpServerRequest request) {
        RequestContext call = new RequestContext(
                request,
                vertx.getOrCreateContext(),
                workers,
                line -> {},
                new InFlightRequests(),
                (c, refusal) -> {},
                new RefusalLog(line -> {}));
        String[] path = request.path().split("/");
        String tenant = path[2].equals("operator") ? ApiToken.EVERY_TENANT : NameRules.DEFAULT_TENANT;
        ApiToken token = new ApiToken(path[2], tenant, Role.VIEWER, "", Instant.EPOCH, null);
        call.admitted(new Caller(token, "127.0.0.1"), () -> true);
        switch (path[1]) {
            case "endless" -> call.attempt(() -> call.streaming("text/plain", this::writeForEver));
            case "log" -> call.attempt(() -> call.streamingLog("text/plain", this::writeForEver));
            case "event" -> call.attempt(() -> call.readingLog(() -> "found"));
            case "list" -> call.attempt(() -> call.streaming("text/plain", out -> out.write('x')));
            case "pressed" -> pressed(request);
            default -> call.working(() -> "short");
        }
    }

    private void writeForEver(OutputStream out) throws IOException {
        begun.incrementAndGet();
        try {
            byte[] part = new byte[8192];
            while (true) {
                out.write(part);
                written.addAndGet(part.length);
            }
        } catch (IOException lost) {
            dropped.complete(lost.getMessage());
            throw lost;
        }
    }

    private void pressed(HttpServerRequest request) {
        request.response().setChunked(true);
        StreamedResponse out = new StreamedResponse(
                vertx.getOrCreateContext(), request.response(), new StreamedResponse.Pace(3_000, 1L << 40));
        workers.lasting("pressed", () -> {
                    writeForEver(out);
                    return null;
                })
                .onFailure(slow -> out.cut());
    }

    private Socket reader(String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(8192);
        socket.connect(new java.net.InetSocketAddress("127.0.0.1", server.actualPort()));
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        readers.add(socket);
        return socket;
    }

    private String get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + path))
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Until the sockets are full and it waits for its readers. */
    private void awaitStandstill() throws InterruptedException {
        long before = -1;
        for (int i = 0; i < 200 && (written.get() == 0 || written.get() != before); i++) {
            before = written.get();
            Thread.sleep(200);
        }
    }

    @Test
    void aReaderThatDoesNotReadDelaysOnlyItself() throws Exception {
        for (int i = 0; i < MANY; i++) {
            reader("/endless/slow");
        }
        awaitStandstill();
        assertEquals(WorkerPools.AT_ONCE, begun.get());
        assertEquals("x", get("/list/other"));
        assertEquals("\"short\"\n", get("/work/slow"));
    }

    @Test
    void oneTokenReadsTheLogOnlyTwiceAtATime() throws Exception {
        for (int i = 0; i < MANY; i++) {
            reader("/log/greedy");
        }
        awaitStandstill();
        assertEquals(WorkerPools.LOG_READERS, begun.get());
        assertEquals("\"found\"\n", get("/event/other"));
        assertEquals("x", get("/list/greedy"));
        assertEquals("\"short\"\n", get("/work/greedy"));
    }

    @Test
    void oneTenantReadsTheLogOnlyFourTimesAtATimeHoweverManyTokensItHas() throws Exception {
        for (int i = 0; i < MANY; i++) {
            reader("/log/greedy-" + i);
        }
        awaitStandstill();
        assertEquals(WorkerPools.LOG_READERS_OF_TENANT, begun.get());
        assertEquals("\"found\"\n", get("/event/operator"));
    }

    @Test
    void aDisconnectFreesItsWorkerForTheNext() throws Exception {
        for (int i = 0; i < WorkerPools.AT_ONCE; i++) {
            reader("/endless/slow");
        }
        awaitStandstill();
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return get("/list/slow");
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        readers.get(0).close();
        assertEquals("The caller is gone.", dropped.get(20, TimeUnit.SECONDS));
        assertEquals("x", waiting.get(20, TimeUnit.SECONDS));
    }

    @Test
    void aReaderThatIsTooSlowIsDisconnected() throws Exception {
        InputStream in = reader("/pressed/slow").getInputStream();
        byte[] some = new byte[128 * 1024];
        int read = 0;
        for (int i = 0; i < 600 && read >= 0 && !dropped.isDone(); i++) {
            read = in.read(some);
            Thread.sleep(50);
        }
        assertTrue(dropped.get(20, TimeUnit.SECONDS).contains("too slowly"));
    }
}
