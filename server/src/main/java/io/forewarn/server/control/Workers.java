package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
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

/**
 * Threads for what an event loop may not do. Short work has its own, and answers that last as long as their reader likes have
 * others, of which one caller gets only a few at a time: whoever reads slowly keeps nobody waiting but itself. Any thread.
 */
final class Workers {
    private static final int SHORT = 8;
    private static final int LONG = 24;

    /** How many long answers one caller gets at a time, and how many more of it may wait for their turn. */
    static final int AT_ONCE = 4;

    static final int WAITING = 256;

    private final WorkerExecutor brief;
    private final WorkerExecutor lasting;
    private final Map<String, Turns> callers = new HashMap<>();

    Workers(Vertx vertx) {
        this.brief = vertx.createSharedWorkerExecutor("control", SHORT, 10, TimeUnit.MINUTES);
        this.lasting = vertx.createSharedWorkerExecutor("control-answers", LONG, 1, TimeUnit.HOURS);
    }

    /** One caller's long answers. */
    private static final class Turns {
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int running;
    }

    <T> Future<T> brief(Callable<T> step) {
        return brief.executeBlocking(step, false);
    }

    /** @throws Refusal if the caller waits for too many already */
    Future<Void> lasting(String caller, Callable<Void> step) {
        Promise<Void> done = Promise.promise();
        Runnable start = () -> lasting.executeBlocking(step, false).onComplete(over -> {
            ended(caller);
            done.handle(over);
        });
        if (mayStart(caller, start)) {
            start.run();
        }
        return done.future();
    }

    private synchronized boolean mayStart(String caller, Runnable start) {
        Turns turns = callers.computeIfAbsent(caller, name -> new Turns());
        if (turns.running < AT_ONCE) {
            turns.running++;
            return true;
        }
        if (turns.waiting.size() >= WAITING) {
            throw new Refusal(
                    Problem.BUSY,
                    "'" + caller + "' reads " + AT_ONCE + " long answers and waits for " + WAITING
                            + " more; try again when one has ended");
        }
        turns.waiting.add(start);
        return false;
    }

    private void ended(String caller) {
        Runnable next;
        synchronized (this) {
            Turns turns = callers.get(caller);
            next = turns.waiting.poll();
            if (next == null && --turns.running == 0) {
                callers.remove(caller);
            }
        }
        if (next != null) {
            next.run();
        }
    }

    /** Who still waits for a turn gets none: its connection closes as well. */
    Future<Void> close() {
        synchronized (this) {
            callers.values().forEach(turns -> turns.waiting.clear());
        }
        return brief.close().eventually(lasting::close);
    }
}
