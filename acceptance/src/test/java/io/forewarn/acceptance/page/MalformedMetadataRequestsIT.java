package io.forewarn.acceptance.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.StoreChoice;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A hundred thousand requests that make no sense, against a service with 64 MiB of memory: had each left a kilobyte behind, it
 * would not answer in the end.
 */
@Tag(StoreChoice.ONCE)
class MalformedMetadataRequestsIT {
    private static final int REQUESTS = 100_000;
    private static final int CLIENTS = 4;
    private static final int PER_CONNECTION = 40;
    private static final String POLL =
            "GET /metadata/scheduledevents?api-version=2017-03-01 HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n";
    private static final String POST =
            "POST /metadata/scheduledevents?api-version=2017-03-01 HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n";

    @Test
    void nothingCrashesNothingLeaksAndOthersAreServedMeanwhile() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ManualClockServer manualClockServer = ManualClockServer.inLittleMemory()) {
            poll(manualClockServer);
            int before = manualClockServer.openFiles();
            AtomicBoolean over = new AtomicBoolean();
            Future<Integer> good = threads.submit(() -> behave(manualClockServer, over));
            List<RawSocket> slow = slowSenders(manualClockServer);
            List<Future<Integer>> bad = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                bad.add(threads.submit(
                        (Callable<Integer>) () -> misbehave(manualClockServer, random, REQUESTS / CLIENTS)));
            }
            int sent = 0;
            for (Future<Integer> one : bad) {
                sent += one.get(5, TimeUnit.MINUTES);
            }
            over.set(true);
            assertEquals(REQUESTS, sent);
            assertTrue(good.get(1, TimeUnit.MINUTES) > 10, "the well-behaved caller was served all the while");
            for (RawSocket one : slow) {
                one.close();
            }
            assertTrue(manualClockServer.isAlive());
            poll(manualClockServer);
            eventually(() -> manualClockServer.openFiles() <= before + 2);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int behave(ManualClockServer manualClockServer, AtomicBoolean over) throws IOException {
        int served = 0;
        try (RawSocket rawSocket = connect(manualClockServer, "127.0.0.2")) {
            while (!over.get()) {
                rawSocket.send(POLL + "\r\n");
                String answer = rawSocket.answer();
                assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
                served++;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
        return served;
    }

    private static int misbehave(ManualClockServer manualClockServer, Random random, int requests) throws IOException {
        int sent = 0;
        while (sent < requests) {
            try (RawSocket rawSocket = connect(manualClockServer, "127.0.0.1")) {
                // Those that leave the connection open come first.
                for (int i = 0; i < PER_CONNECTION && sent < requests - 1; i++, sent++) {
                    senseless(rawSocket, random);
                }
                if (sent < requests) {
                    last(rawSocket, random);
                    sent++;
                }
            }
        }
        return sent;
    }

    private static void senseless(RawSocket rawSocket, Random random) throws IOException {
        switch (random.nextInt(5)) {
            case 0 -> expect(rawSocket, "400", POST + body("{\"StartRequests\":[".substring(0, random.nextInt(18))));
            case 1 ->
                expect(
                        rawSocket,
                        "400",
                        POST + body(noise(random, 1 + random.nextInt(60)).replace("{", "")));
            case 2 ->
                expect(rawSocket, "404", "GET /" + random.nextInt() + " HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n\r\n");
            case 3 ->
                expect(
                        rawSocket,
                        "405",
                        "FROB /metadata/scheduledevents HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n\r\n");
            default ->
                expect(
                        rawSocket,
                        "400",
                        "GET /metadata/scheduledevents?api-version=x HTTP/1.1\r\nHost: x\r\nMetadata: true\r\n\r\n");
        }
    }

    private static void last(RawSocket rawSocket, Random random) throws IOException {
        switch (random.nextInt(6)) {
            case 0 -> expect(rawSocket, "431", POLL + "X: " + "y".repeat(9000) + "\r\n\r\n");
            case 1 -> expect(rawSocket, "414", "GET /" + "y".repeat(5000) + " HTTP/1.1\r\n\r\n");
            case 2 -> expect(rawSocket, "400", "GET" + random.nextInt() + "\r\n\r\n");
            case 3 -> expect(rawSocket, "413", POST + "Content-Length: 70000\r\n\r\n" + "y".repeat(70000));
            case 4 -> rawSocket.send(noise(random, 200));
            default -> {
                rawSocket.send(POST + "Content-Length: 500\r\n\r\n{");
                rawSocket.endOutput();
            }
        }
    }

    private static void expect(RawSocket rawSocket, String status, String request) throws IOException {
        rawSocket.send(request);
        String answer = rawSocket.answer();
        assertEquals(status, answer.substring(9, 12), () -> request + "\n" + answer);
    }

    private static String body(String text) {
        return "Content-Length: " + text.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + text;
    }

    private static String noise(Random random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (1 + random.nextInt(250)));
        }
        return text.toString();
    }

    private static List<RawSocket> slowSenders(ManualClockServer manualClockServer) throws IOException {
        List<RawSocket> slow = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RawSocket rawSocket = connect(manualClockServer, "127.0.0.3");
            rawSocket.send(i % 2 == 0 ? "GET /metadata" : POST + "Content-Length: 500\r\n\r\n{");
            slow.add(rawSocket);
        }
        return slow;
    }

    private static void poll(ManualClockServer manualClockServer) throws IOException {
        try (RawSocket rawSocket = connect(manualClockServer, "127.0.0.2")) {
            rawSocket.send(POLL + "\r\n");
            assertTrue(rawSocket.answer().startsWith("HTTP/1.1 200 "));
        }
    }

    private static RawSocket connect(ManualClockServer manualClockServer, String from) throws IOException {
        return new RawSocket(manualClockServer.metadata(), InetAddress.getByName(from));
    }

    private static void eventually(java.util.function.BooleanSupplier done) {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!done.getAsBoolean()) {
            assertTrue(System.nanoTime() < limit, "sockets are left open");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
