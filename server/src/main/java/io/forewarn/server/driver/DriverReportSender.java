package io.forewarn.server.driver;

import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Sends driver reports to the engine, and retries until it has accepted them. */
final class DriverReportSender {
    private static final long FIRST_WAIT_MILLIS = 500;
    private static final long LONGEST_WAIT_MILLIS = 30_000;

    private final Function<Command, CompletableFuture<CommandResult>> engine;
    private final ScheduledExecutorService timer;

    DriverReportSender(Function<Command, CompletableFuture<CommandResult>> engine, ScheduledExecutorService timer) {
        this.engine = engine;
        this.timer = timer;
    }

    /** @param idle whether the report is no longer needed */
    void tell(Command.Told told, BooleanSupplier idle) {
        tell(told, idle, FIRST_WAIT_MILLIS);
    }

    private void tell(Command.Told told, BooleanSupplier idle, long wait) {
        if (idle.getAsBoolean()) {
            return;
        }
        engine.apply(told).whenComplete((result, failure) -> {
            if (ReportOutcome.of(failure) == ReportOutcome.LOST) {
                again(told, idle, wait);
            }
        });
    }

    private void again(Command.Told told, BooleanSupplier idle, long wait) {
        try {
            timer.schedule(
                    () -> tell(told, idle, Math.min(wait * 2, LONGEST_WAIT_MILLIS)), wait, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // After the restart the engine asks for the status.
        }
    }
}
