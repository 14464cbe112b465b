package io.forewarn.server.boot;

import io.forewarn.core.ClockReading;
import io.forewarn.core.engine.Clock;
import io.forewarn.server.clock.ManualClockMover;
import io.forewarn.server.cluster.WriterThreadTask;
import io.forewarn.server.driver.SimulatedDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The writer's thread: turns the engine when there is something to do, and sleeps until there is. */
final class WriterThread implements ManualClockMover.Writer, AutoCloseable {
    /** Deadlines are also looked at this often, in case the wall was set. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);

    private final WriterThreadTask task;
    private final Optional<SimulatedDriver> simulated;
    private final Clock clock;
    private final Supplier<Optional<Duration>> stalls;
    private final Consumer<Throwable> died;
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closing;

    /** @param stalls for how long nothing could be read since it was asked last */
    WriterThread(
            WriterThreadTask task,
            Optional<SimulatedDriver> simulated,
            Clock clock,
            Supplier<Optional<Duration>> stalls,
            Consumer<Throwable> died) {
        this.task = task;
        this.simulated = simulated;
        this.clock = clock;
        this.stalls = stalls;
        this.died = died;
        this.thread = new Thread(this::run, "forewarn-writer");
    }

    void start() {
        thread.start();
    }

    /** There is something to do. Any thread. */
    void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public <T> CompletableFuture<T> run(Supplier<T> job) {
        CompletableFuture<T> result = new CompletableFuture<>();
        errands.add(() -> {
            try {
                result.complete(job.get());
            } catch (RuntimeException failure) {
                result.completeExceptionally(failure);
            }
        });
        wake();
        return result;
    }

    @Override
    public int turn() {
        ClockReading now = clock.now();
        // Before anything that fell due meanwhile is looked at.
        stalls.get().ifPresent(missed -> task.stalled(missed, now));
        int reported = task.writes() ? simulated.map(s -> s.turn(now)).orElse(0) : 0;
        return reported + task.turn(now);
    }

    @Override
    public Optional<Instant> due() {
        return Stream.of(task.due(), simulated.filter(s -> task.writes()).flatMap(SimulatedDriver::due))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private void run() {
        try {
            while (!closing) {
                for (Runnable job = errands.poll(); job != null; job = errands.poll()) {
                    job.run();
                }
                if (turn() == 0 && errands.isEmpty()) {
                    sleep();
                }
            }
            task.close(clock.now());
        } catch (RuntimeException | Error fatal) {
            // Deciding on after a bug could break a promise; a restart decides on what is durable.
            died.accept(fatal);
        }
    }

    private void sleep() {
        Instant now = clock.now().wall();
        long nanos = due().map(at -> Duration.between(now, at).toNanos())
                .filter(n -> n < LONGEST_SLEEP.toNanos())
                .orElse(LONGEST_SLEEP.toNanos());
        LockSupport.parkNanos(this, Math.max(nanos, Duration.ofMillis(1).toNanos()));
    }

    @Override
    public void close() {
        closing = true;
        wake();
        try {
            thread.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
