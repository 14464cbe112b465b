package io.forewarn.server.driver;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Stands where the engine stands: takes reports, or refuses them as an engine with a broken store does. */
final class ReportListener {
    private final List<Command.Told> taken = new ArrayList<>();
    private int refusals;
    private Problem problem;

    synchronized CompletableFuture<CommandResult> submit(Command command) {
        if (problem != null) {
            refusals++;
            notifyAll();
            return CompletableFuture.failedFuture(new RefusedException(problem, "Not now."));
        }
        taken.add((Command.Told) command);
        notifyAll();
        return CompletableFuture.completedFuture(CommandResult.NOTHING);
    }

    synchronized void refuseWith(Problem problem) {
        this.problem = problem;
    }

    synchronized int refusals() {
        return refusals;
    }

    synchronized List<Command.Told> taken() {
        return List.copyOf(taken);
    }

    /** Waits for a report like that; fails after a generous while. */
    Command.Told await(Predicate<Command.Told> wanted) throws InterruptedException {
        awaitTrue(() -> taken.stream().anyMatch(wanted));
        return taken().stream().filter(wanted).findFirst().orElseThrow();
    }

    void awaitRefusal() throws InterruptedException {
        awaitTrue(() -> refusals > 0);
    }

    private synchronized void awaitTrue(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("It never came; " + refusals + " refused, taken: " + taken);
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}
