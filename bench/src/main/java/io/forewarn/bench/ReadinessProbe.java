package io.forewarn.bench;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** Waits for the first 200. */
final class ReadinessProbe {
    private static final long BETWEEN_TRIES = 2_000_000;

    private ReadinessProbe() {}

    static void await(ChildProcess server, int port, byte[] request, long longestNanos) {
        long began = System.nanoTime();
        while (!answers(port, request)) {
            if (!server.isAlive()) {
                throw new IllegalStateException("the server ended before it was ready");
            }
            if (System.nanoTime() - began > longestNanos) {
                throw new IllegalStateException("the server was not ready in time");
            }
            LockSupport.parkNanos(BETWEEN_TRIES);
        }
    }

    private static boolean answers(int port, byte[] request) {
        try (KeptAliveConnection connection = new KeptAliveConnection("127.0.0.1", port)) {
            return connection.ask(request).status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
