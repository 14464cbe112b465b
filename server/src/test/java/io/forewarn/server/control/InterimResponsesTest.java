package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server closes connections on which nothing happens for a second; its answer comes after three. */
final class InterimResponsesTest {
    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;

    @BeforeEach
    void start() {
        HttpServerOptions options = new HttpServerOptions().setIdleTimeout(1).setIdleTimeoutUnit(TimeUnit.SECONDS);
        server = vertx.createHttpServer(options)
                .requestHandler(request -> {
                    CompletableFuture<String> answer = new CompletableFuture<>();
                    InterimResponses.until(answer, request, vertx.getOrCreateContext(), Duration.ofMillis(100));
                    vertx.setTimer(3000, timer -> {
                        answer.complete("");
                        request.response().setStatusCode(409).end("no further");
                    });
                })
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aLongRequestGetsItsAnswerWithItsOwnStatus() throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) new URL("http://127.0.0.1:" + server.actualPort() + "/").openConnection();
        assertEquals(409, connection.getResponseCode());
        try (InputStream body = connection.getErrorStream()) {
            assertEquals("no further", new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void onTheWireTheyComeBeforeTheAnswer() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.actualPort())) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(all.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"), all);
            assertTrue(all.contains("HTTP/1.1 409 "), all);
        }
    }
}
