package io.forewarn.server.forward;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommitBarrierTest {
    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong known = new AtomicLong(6);

    @AfterEach
    void end() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void await(Future<Void> told) throws Exception {
        told.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aWaitForACommitEndsExactlyWhenItIsApplied() throws Exception {
        CommitBarrier barrier = new CommitBarrier(vertx, known::get, Duration.ofHours(1));
        assertTrue(barrier.of(6).isComplete());
        Future<Void> next = barrier.of(7);
        Future<Void> sameOne = barrier.of(7);
        Future<Void> later = barrier.of(9);
        barrier.release();
        assertFalse(next.isComplete());
        known.set(8);
        barrier.release();
        await(next);
        await(sameOne);
        assertFalse(later.isComplete());
        known.set(12);
        assertTrue(barrier.of(10).isComplete());
        barrier.release();
        await(later);
    }

    @Test
    void waitingEndsAtTheTimeLimit() throws Exception {
        CommitBarrier barrier = new CommitBarrier(vertx, known::get, Duration.ofMillis(1));
        await(barrier.of(7));
        await(barrier.of(7));
        assertTrue(known.get() < 7);
    }
}
