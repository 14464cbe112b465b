package io.forewarn.server.driver;

import io.forewarn.core.ClockReading;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Simulates maintenance work: it is done when enough service time has passed since its start. It derives the state of a
 * task from the start attempt, so that it survives a restart without stored state. It has no threads: everything runs
 * on the writer's thread, except that responses of the engine may arrive on any thread.
 */
public final class SimulatedDriver implements MaintenanceDriver {
    /**
     * Work on a machine with this tag fails: so that handlers of failures can be tried. A rehearsal does nothing, so it
     * cannot fail.
     */
    public static final String TAG = "simulated";

    public static final String FAILS = "fails";

    private static final Duration RETRY = Duration.ofSeconds(1);

    /** How many reports wait for the engine's answer at most: the end of a large rollout must not fill the queue of all others. */
    private static final int UNANSWERED = 4;

    /** How much the wall clock may differ from elapsed time before service time counts as set. */
    private static final Duration LEAP = Duration.ofSeconds(5);

    private final DriverSettings.Simulated durations;
    private final Function<Command, CompletableFuture<CommandResult>> engine;
    private final LongSupplier elapsed;

    private final Map<EventId, Promised> tasks = new HashMap<>();
    private final TreeSet<Promised> agenda =
            new TreeSet<>(Comparator.comparing(Promised::at).thenComparing(Promised::order));
    private final Queue<Heard> answers = new ConcurrentLinkedQueue<>();
    private long count;
    private int lost;
    private int unanswered;
    private long retryAtNanos;
    private ClockReading latest;

    /**
     * @param engine receives reports, as {@code Engine::submit}
     * @param elapsed monotonic nanoseconds of real time
     */
    public SimulatedDriver(
            DriverSettings.Simulated durations,
            Function<Command, CompletableFuture<CommandResult>> engine,
            LongSupplier elapsed) {
        this.durations = durations;
        this.engine = engine;
        this.elapsed = elapsed;
    }

    @Override
    public void start(DriverTask task) {
        keep(task, end(task));
    }

    @Override
    public void status(DriverTask task) {
        keep(task, Instant.EPOCH); // A status request is answered at once, whatever the clock says.
    }

    @Override
    public Optional<Duration> expected(Cause cause, boolean rehearsal, Duration given) {
        return Optional.of(given == null ? durations.of(cause) : given);
    }

    /** Called when another node has become the writer, which asks for the status of all started work. */
    public void letGo() {
        tasks.clear(); // Late responses belong to none of them.
        agenda.clear();
        lost = 0;
    }

    /** Reports finished work and returns the number of reports. */
    public int turn(ClockReading now) {
        hear();
        leap(now);
        retryWhatWasLost(now.wall());
        int reports = 0;
        while (!agenda.isEmpty() && !agenda.first().at.isAfter(now.wall()) && unanswered < UNANSWERED) {
            tell(agenda.pollFirst(), now.wall());
            reports++;
        }
        return reports;
    }

    /** Work takes time that really passes: if service time was set, what is under way ends that much later or earlier. */
    private void leap(ClockReading now) {
        ClockReading before = latest;
        latest = now;
        if (before == null) {
            return;
        }
        Duration passed = Duration.ofNanos(now.nanos() - before.nanos());
        Duration by = Duration.between(before.wall(), now.wall()).minus(passed);
        // While service time draws nearer to a clock it goes faster or slower by a tenth.
        if (by.abs().compareTo(LEAP.plus(passed.dividedBy(5))) > 0) {
            List<Promised> waiting = List.copyOf(agenda);
            agenda.clear();
            tasks.values().forEach(task -> task.moved(by));
            agenda.addAll(waiting);
        }
    }

    /** When the next report is due. */
    public Optional<Instant> due() {
        hear();
        return agenda.isEmpty() ? Optional.empty() : Optional.of(agenda.first().at);
    }

    private Instant end(DriverTask task) {
        Event event = task.event();
        Duration takes = event.work()
                .expectedInterruption()
                .orElseGet(() -> durations.of(event.work().cause()));
        return event.attempt().startedAt().plus(takes);
    }

    private static String fails(DriverTask task) {
        return task.event().work().rehearsal()
                ? ""
                : task.machines().stream()
                        .filter(m -> FAILS.equals(m.tags().get(TAG)))
                        .map(m -> m.name() + " is tagged " + TAG + "=" + FAILS)
                        .findFirst()
                        .orElse("");
    }

    private void keep(DriverTask task, Instant at) {
        Event event = task.event();
        Promised promised = new Promised(event.id(), event.attempt().attempt(), end(task), fails(task), at, count++);
        Promised before = tasks.put(event.id(), promised);
        if (before != null) {
            forget(before);
        }
        agenda.add(promised);
    }

    private void tell(Promised task, Instant now) {
        if (task.lost) {
            task.lost = false;
            lost--;
        }
        DriverReport ended = task.fails.isEmpty() ? DriverReport.DONE : DriverReport.FAILED;
        DriverReport report = now.isBefore(task.end) ? DriverReport.RUNNING : ended;
        String detail = report == DriverReport.FAILED ? task.fails : "";
        unanswered++;
        engine.apply(new Command.Told(task.id, task.attempt, report, detail))
                .whenComplete(
                        (result, failure) -> answers.add(new Heard(task, now, report, ReportOutcome.of(failure))));
    }

    private void hear() {
        for (Heard heard = answers.poll(); heard != null; heard = answers.poll()) {
            Promised task = heard.task;
            unanswered--;
            if (tasks.get(task.id) != task) {
                continue; // A later attempt took its place.
            }
            if (heard.hearing == ReportOutcome.LOST) {
                retryAtNanos = elapsed.getAsLong() + RETRY.toNanos();
                task.lost = true;
                lost++;
                task.at = heard.told.plus(RETRY);
                agenda.add(task);
            } else if (heard.report == DriverReport.RUNNING) {
                task.at = task.end;
                agenda.add(task);
            } else {
                tasks.remove(task.id);
            }
        }
    }

    /** Retries after a second of real or service time: a manual clock may stand still while the store recovers. */
    private void retryWhatWasLost(Instant now) {
        if (lost == 0 || elapsed.getAsLong() - retryAtNanos < 0) {
            return;
        }
        for (Promised task : tasks.values()) {
            if (task.lost && agenda.remove(task)) {
                task.at = now;
                agenda.add(task);
            }
        }
        retryAtNanos = elapsed.getAsLong() + RETRY.toNanos();
    }

    private void forget(Promised task) {
        agenda.remove(task);
        if (task.lost) {
            lost--;
        }
    }

    private record Heard(Promised task, Instant told, DriverReport report, ReportOutcome hearing) {}

    private static final class Promised {
        private final EventId id;
        private final int attempt;
        private Instant end;
        private final String fails;
        private final long order;
        /** When to report next; changes only while the task is not on the agenda. */
        private Instant at;

        private boolean lost;

        Promised(EventId id, int attempt, Instant end, String fails, Instant at, long order) {
            this.id = id;
            this.attempt = attempt;
            this.end = end;
            this.fails = fails;
            this.at = at;
            this.order = order;
        }

        /** What is to be told at once stays so. */
        void moved(Duration by) {
            at = at.equals(Instant.EPOCH) ? at : at.plus(by);
            end = end.plus(by);
        }

        Instant at() {
            return at;
        }

        long order() {
            return order;
        }
    }
}
