package io.forewarn.server.boot;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.wire.ProblemStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Retries what a start must write: in a cluster another node may become the writer meanwhile, and etcd may fail
 * again. A single node has no other writer to wait for.
 */
final class WriterRetry {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final boolean several;
    private final CompletableFuture<?> dead;
    private final Log log;

    /**
     * @param several whether there may be other nodes
     * @param dead fails if the writer cannot continue
     */
    WriterRetry(boolean several, CompletableFuture<?> dead, Log log) {
        this.several = several;
        this.dead = dead;
        this.log = log;
    }

    /**
     * @param what what it waits for, for the log
     * @param step may run more than once
     */
    void by(String what, Runnable step) {
        while (true) {
            try {
                step.run();
                return;
            } catch (RefusedException refusal) {
                if (!several || !ProblemStatus.passing(refusal.problem())) {
                    throw refusal;
                }
                log.write(LogLine.warning("waiting").with("for", what).with("failure", refusal.getMessage()));
                pause(PAUSE);
            }
        }
    }

    <T> T settled(CompletableFuture<T> asked) {
        try {
            CompletableFuture.anyOf(asked, dead).join(); // A dead writer does not answer.
            return asked.join();
        } catch (CompletionException wrapped) {
            throw wrapped.getCause() instanceof RefusedException refusal ? refusal : wrapped;
        }
    }

    void pause(Duration length) {
        if (dead.isDone()) {
            dead.join();
        }
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RefusedException(Problem.NOT_READY, "the start was interrupted");
        }
    }
}
