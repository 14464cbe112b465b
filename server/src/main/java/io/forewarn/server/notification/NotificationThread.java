package io.forewarn.server.notification;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The one thread that dispatches notifications. Steps on it never block. Any thread may add steps. */
final class NotificationThread {
    private static final Duration MOMENT = Duration.ofMillis(5);

    private final Consumer<RuntimeException> faults;
    private final ScheduledThreadPoolExecutor thread;

    /** @param faults receives errors of the service itself */
    NotificationThread(Consumer<RuntimeException> faults) {
        this.faults = faults;
        this.thread = new ScheduledThreadPoolExecutor(1, r -> new Thread(r, "forewarn-notifications"));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
    }

    void run(Runnable step) {
        in(Duration.ZERO, step);
    }

    void soon(Runnable step) {
        in(MOMENT, step);
    }

    void in(Duration pause, Runnable step) {
        try {
            thread.schedule(guarded(step), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ending) {
            // The notification is sent after the next start.
            return;
        }
    }

    void every(Duration pause, Runnable step) {
        thread.scheduleWithFixedDelay(guarded(step), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Keeps a bug from ending the periodic steps, and reports it. */
    private Runnable guarded(Runnable step) {
        return () -> {
            try {
                step.run();
            } catch (RuntimeException bug) {
                faults.accept(bug);
            }
        };
    }

    /** Ends after the step that is running. */
    void close(Duration longest) {
        thread.shutdown();
        try {
            thread.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
