package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.server.control.Peers;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.store.etcd.Access;
import io.forewarn.store.etcd.Membership;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node that knows of no writer. */
class RelayTest {
    private static final Peers.Passed REQUEST =
            Peers.Passed.of("POST", "/v1/machines/web-1/restart", "application/json", new byte[0], "", "a-key");

    private final Vertx vertx = Vertx.vertx();
    private final TimeLine time = new TimeLine(System::nanoTime, Instant::now);
    private final Tenure alone = new Tenure(
            new Membership(Access.to(List.of(URI.create("http://127.0.0.1:1")), "test/"), Duration.ofSeconds(5)),
            Duration.ofSeconds(5),
            time,
            System::nanoTime,
            Log.to(line -> {}, LogFormat.LOGFMT),
            () -> {});
    private final Relay relay = new Relay(
            vertx,
            new HttpClientOptions(),
            alone,
            () -> false,
            new Seals(Seals.fresh(), Instant::now),
            Duration.ofHours(1),
            System::nanoTime);

    @AfterEach
    void end() throws Exception {
        relay.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void await(BooleanSupplier hope) {
        for (int i = 0; i < 6000 && !hope.getAsBoolean(); i++) {
            LockSupport.parkNanos(10_000_000);
        }
        assertTrue(hope.getAsBoolean());
    }

    @Test
    void aRequestWaitsForAWriterUntilItsCallerHasGone() throws Exception {
        AtomicReference<Future<Peers.Reply>> passed = new AtomicReference<>();
        AtomicInteger tries = new AtomicInteger();
        HttpServer node = vertx.createHttpServer()
                .requestHandler(request -> passed.set(relay.pass(REQUEST, () -> {
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
            await(() -> tries.get() >= 2);
            assertFalse(passed.get().isComplete());
        }
        await(() -> passed.get().isComplete());
        assertEquals(Problem.NOT_READY, ((Refusal) passed.get().cause()).problem());
    }

    @Test
    void aRelayThatIsClosedPassesNothingOnAndComplainsOfNothing() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        vertx.exceptionHandler(thrown::set);
        Future<Peers.Reply> waiting = relay.pass(REQUEST, () -> false);
        relay.note(Word.poll("default", "web-1", Instant.EPOCH, "2020-07-01"));
        relay.close();
        await(waiting::isComplete);
        assertTrue(relay.pass(REQUEST, () -> false).failed());
        assertEquals(null, thrown.get());
    }
}
