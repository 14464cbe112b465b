package io.forewarn.server.driver;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.ValidationProblem;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.wire.driver.TaskJson;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Does maintenance work with the operator's program, called with {@code start} or {@code status}. Its own threads wait
 * for the program; the writer never does. Programs outlive the service: after a restart their state is found with
 * {@code status}.
 */
public final class CommandDriver implements MaintenanceDriver, AutoCloseable {
    private static final int ASKING_THREADS = 2;
    private static final int LONGEST_BACK_OFF = 16;

    private final DriverSettings.Program settings;
    private final LongSupplier elapsed;
    private final Supplier<StartPermit> permit;
    private final Map<EventId, Job> jobs = new ConcurrentHashMap<>();
    private final ExecutorService workers;
    private final ExecutorService askers;
    private final ScheduledExecutorService timer;
    private final DriverReportSender reports;
    /** Changes when another node takes over the work. */
    private volatile Object term = new Object();

    /**
     * @param engine receives reports, as {@code Engine::submit}
     * @param elapsed monotonic nanoseconds of real time
     * @param permit whether this node may start work now, and until when
     */
    public CommandDriver(
            DriverSettings.Program settings,
            Function<Command, CompletableFuture<CommandResult>> engine,
            LongSupplier elapsed,
            Supplier<StartPermit> permit) {
        if (settings.argv().isEmpty()) {
            throw new RefusedException(Problem.BAD_INPUT, ProgramCheck.NO_PROGRAM);
        }
        this.settings = settings;
        this.elapsed = elapsed;
        this.permit = permit;
        workers = Executors.newFixedThreadPool(settings.concurrency(), threads("driver-start"));
        askers = Executors.newFixedThreadPool(ASKING_THREADS, threads("driver-status"));
        timer = Executors.newSingleThreadScheduledExecutor(threads("driver-timer"));
        reports = new DriverReportSender(engine, timer);
    }

    /** What would prevent the program from running; empty if nothing. Called at startup. */
    public List<ValidationProblem> check() {
        return ProgramCheck.faults(settings);
    }

    @Override
    public void start(DriverTask task) {
        Job job = new Job(task, true);
        Job before = jobs.get(task.event().id());
        if (before != null && before.startedHere && before.attempt() == job.attempt()) {
            return;
        }
        jobs.put(task.event().id(), job);
        execute(workers, () -> work(job, 0), bug -> end(job, DriverReport.FAILED, "the driver failed: " + bug));
    }

    @Override
    public void status(DriverTask task) {
        Job job = new Job(task, false);
        jobs.put(task.event().id(), job);
        ask(job, 0);
    }

    /**
     * Called when another node has become the writer, which asks for the status of all started work. This node starts
     * no more work and reports nothing more.
     */
    public void letGo() {
        term = new Object();
        jobs.clear();
    }

    /** Stops waiting. Running programs continue. */
    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
        askers.shutdownNow();
    }

    private void work(Job job, int failures) throws InterruptedException {
        ProgramRun.Result result =
                run("start", settings.timeout(), job, () -> job.isLetGo() ? StartPermit.NEVER : permit.get());
        switch (result.ending()) {
            case EXITED -> {
                boolean done = result.exit() == 0;
                end(job, done ? DriverReport.DONE : DriverReport.FAILED, done ? "" : result.detail());
            }
            case TIMED_OUT -> end(job, DriverReport.TIMED_OUT, result.detail());
            case NOT_STARTED -> end(job, DriverReport.FAILED, result.detail());
            case NOT_PERMITTED -> {} // The next writer asks for its status.
            case NO_ROOM -> workAgain(job, failures + 1, result.detail());
        }
    }

    private void workAgain(Job job, int failures, String ifTooLate) {
        long now = elapsed.getAsLong();
        if (failures == 1) {
            job.wanting = now;
        }
        if (now - job.wanting >= settings.timeout().toNanos()) {
            end(job, DriverReport.FAILED, ifTooLate);
            return;
        }
        later(failures, () -> {
            // Another attempt may have taken its place: promise 7.
            if (jobs.get(job.id()) == job) {
                execute(
                        workers,
                        () -> work(job, failures),
                        bug -> end(job, DriverReport.FAILED, "the driver failed: " + bug));
            }
        });
    }

    private void ask(Job job, int failures) {
        execute(
                askers,
                () -> askNow(job, failures),
                bug -> askAgain(job, failures + 1, "its state could not be found out: " + bug));
    }

    private void askNow(Job job, int failures) throws InterruptedException {
        if (job.isLetGo()) {
            return;
        }
        ProgramRun.Result result = run("status", settings.statusTimeout(), job, () -> StartPermit.ALWAYS);
        String word = result.succeeded() ? result.word().toLowerCase(Locale.ROOT) : "";
        switch (word) {
            case "done" -> end(job, DriverReport.DONE, "");
            case "failed" ->
                end(job, DriverReport.FAILED, ("the program says it failed. " + result.complaint()).strip());
            // Only this status allows a restart of the work: promise 7.
            case "unknown" -> end(job, DriverReport.UNKNOWN, "");
            case "running" -> {
                if (!job.toldRunning) {
                    job.toldRunning = true;
                    tell(job, DriverReport.RUNNING, "");
                }
                askAgain(
                        job,
                        0,
                        "it was still running after " + settings.timeout().toSeconds() + " s");
            }
            default -> askAgain(job, failures + 1, "its state could not be found out: " + result.detail());
        }
    }

    private void askAgain(Job job, int failures, String ifTooLate) {
        if (elapsed.getAsLong() - job.begun >= settings.timeout().toNanos()) {
            end(job, DriverReport.TIMED_OUT, ifTooLate);
            return;
        }
        later(failures, () -> ask(job, failures));
    }

    private void later(int failures, Runnable again) {
        int times = Math.min(1 << Math.min(failures, 10), LONGEST_BACK_OFF);
        long wait = settings.statusInterval().toNanos() * times;
        try {
            timer.schedule(again, wait, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // After the restart the engine asks again.
        }
    }

    private ProgramRun.Result run(String verb, Duration limit, Job job, Supplier<StartPermit> permitted)
            throws InterruptedException {
        return new ProgramRun(settings, verb, limit, elapsed).run(until -> TaskJson.bytes(job.task, until), permitted);
    }

    private void end(Job job, DriverReport report, String detail) {
        jobs.remove(job.id(), job);
        tell(job, report, detail);
    }

    private void tell(Job job, DriverReport report, String detail) {
        reports.tell(new Command.Told(job.id(), job.attempt(), report, detail), job::isLetGo);
    }

    private interface BlockingTask {
        void run() throws InterruptedException;
    }

    /** @param otherwise called on an internal error: the event must end anyway */
    private static void execute(ExecutorService pool, BlockingTask blockingTask, Consumer<Throwable> otherwise) {
        try {
            pool.execute(() -> {
                try {
                    blockingTask.run();
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException | Error bug) {
                    otherwise.accept(bug);
                }
            });
        } catch (RejectedExecutionException closed) {
            // After a restart the engine asks for the status.
        }
    }

    private static ThreadFactory threads(String name) {
        return blockingTask -> {
            Thread thread = new Thread(blockingTask, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private final class Job {
        private final DriverTask task;
        private final boolean startedHere;
        private final long begun = elapsed.getAsLong();
        private final Object since = term;
        private volatile boolean toldRunning;
        private volatile long wanting;

        Job(DriverTask task, boolean startedHere) {
            this.task = task;
            this.startedHere = startedHere;
        }

        boolean isLetGo() {
            return since != term;
        }

        EventId id() {
            return task.event().id();
        }

        int attempt() {
            return task.event().attempt().attempt();
        }
    }
}
