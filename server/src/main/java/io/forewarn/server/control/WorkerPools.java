package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs work that would block an event loop. Short work, long responses and reads of the log have separate
 * threads; one caller gets only a few at a time, so that a slow or heavy reader delays only itself.
 * Thread-safe.
 */
final class WorkerPools {
    private static final int SHORT = 8;
    private static final int LONG = 24;
    private static final int LOG = 16;

    /** The maximum number of long responses per caller at a time, and of those that may wait. */
    static final int AT_ONCE = 4;

    static final int WAITING = 256;

    /** The maximum number of reads of the log per caller and per tenant at a time. */
    static final int LOG_READERS = 2;

    static final int LOG_READERS_OF_TENANT = 4;

    private final WorkerExecutor brief;
    private final WorkerExecutor lasting;
    private final WorkerExecutor log;
    private final Queues answers = new Queues(AT_ONCE, "long answers");
    private final Queues logReaders = new Queues(LOG_READERS, "answers from the log");
    private final Queues logReadersOfTenant = new Queues(LOG_READERS_OF_TENANT, "answers from the log");

    WorkerPools(Vertx vertx) {
        this.brief = vertx.createSharedWorkerExecutor("control", SHORT, 10, TimeUnit.MINUTES);
        this.lasting = vertx.createSharedWorkerExecutor("control-answers", LONG, 1, TimeUnit.HOURS);
        this.log = vertx.createSharedWorkerExecutor("control-log", LOG, 1, TimeUnit.HOURS);
    }

    /** Checks that long work does not run on an event loop, which would delay machines. */
    static void mustNotBeEventLoop() {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("This takes too long for an event loop.");
        }
    }

    <T> Future<T> brief(Callable<T> step) {
        return brief.executeBlocking(step, false);
    }

    /** @throws RefusedException if too many requests of the caller are waiting already */
    <T> Future<T> lasting(String caller, Callable<T> step) {
        return inTurn(answers, caller, () -> lasting.executeBlocking(step, false));
    }

    /**
     * @param tenant the caller's tenant, which may create any number of callers; null if it has none
     * @throws RefusedException if too many requests of the caller are waiting already
     */
    <T> Future<T> readingLog(String caller, String tenant, Callable<T> step) {
        Supplier<Future<T>> read = () -> log.executeBlocking(step, false);
        return inTurn(
                logReaders, caller, tenant == null ? read : () -> inTurn(logReadersOfTenant, "tenant " + tenant, read));
    }

    private static <T> Future<T> inTurn(Queues queues, String caller, Supplier<Future<T>> step) {
        Promise<T> done = Promise.promise();
        Runnable start = () -> begin(step).onComplete(over -> {
            queues.ended(caller);
            done.handle(over);
        });
        if (queues.mayStart(caller, start)) {
            start.run();
        }
        return done.future();
    }

    private static <T> Future<T> begin(Supplier<Future<T>> step) {
        try {
            return step.get();
        } catch (RefusedException tooMany) {
            return Future.failedFuture(tooMany);
        }
    }

    /** Counts running and waiting work per caller. */
    private static final class Queues {
        private static final class OfCaller {
            private final Queue<Runnable> waiting = new ArrayDeque<>();
            private int running;
        }

        private final int atOnce;
        private final String what;
        private final Map<String, OfCaller> callers = new HashMap<>();

        Queues(int atOnce, String what) {
            this.atOnce = atOnce;
            this.what = what;
        }

        synchronized boolean mayStart(String caller, Runnable start) {
            OfCaller queue = callers.computeIfAbsent(caller, name -> new OfCaller());
            if (queue.running < atOnce) {
                queue.running++;
                return true;
            }
            if (queue.waiting.size() >= WAITING) {
                throw new RefusedException(
                        Problem.BUSY,
                        "'" + caller + "' reads " + atOnce + " " + what + " and waits for " + WAITING
                                + " more; try again when one has ended");
            }
            queue.waiting.add(start);
            return false;
        }

        void ended(String caller) {
            Runnable next;
            synchronized (this) {
                OfCaller queue = callers.get(caller);
                next = queue.waiting.poll();
                if (next == null && --queue.running == 0) {
                    callers.remove(caller);
                }
            }
            if (next != null) {
                next.run();
            }
        }

        synchronized void clear() {
            callers.values().forEach(queue -> queue.waiting.clear());
        }
    }

    /** Drops waiting work: its connections are closed as well. */
    Future<Void> close() {
        answers.clear();
        logReaders.clear();
        logReadersOfTenant.clear();
        return brief.close().eventually(lasting::close).eventually(log::close);
    }
}
