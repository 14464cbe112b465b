package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.bench.Bystanders.Noticed;
import io.forewarn.wire.control.ClockRequest;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A rollout over all hosts of fleets of two sizes, and of a third if asked for, from its plan to its end, by the service as a user starts it. */
final class RolloutTime {
    private static final String NAME = "os";
    private static final int LONGEST_IN_STEPS = 100;
    private static final int SHOWN_IN_STEPS = 16;
    private static final int WARM = 200;
    private static final int QUIET = 300;

    private final BenchSetup setup;

    RolloutTime(BenchSetup setup) {
        this.setup = setup;
    }

    /** What one size took. */
    private static final class Run {
        final int machines;
        double plan;
        double start;
        double shown;
        double shownMib;
        double seconds;
        double cpuMicros;
        double commits;
        double endMib;
        Noticed quiet;
        Noticed showing;
        Noticed advancing;

        Run(int machines) {
            this.machines = machines;
        }

        double microsPerMachine() {
            return cpuMicros / machines;
        }
    }

    Finding measure() throws IOException {
        List<Run> runs = new ArrayList<>();
        List<ReportRow> rows = new ArrayList<>();
        for (int machines : List.of(10_000, 100_000)) {
            Run run = run(machines);
            runs.add(run);
            rows.addAll(rows(run));
            rows(run).forEach(row -> System.err.println("  " + row.line()));
        }
        Run middle = runs.get(runs.size() - 2);
        Run last = runs.get(runs.size() - 1);
        rows.add(ReportRow.atMost(
                "CPU per machine, with ten times the machines",
                "≤ 1.5 ×",
                last.microsPerMachine() / middle.microsPerMachine(),
                1.5,
                " ×"));
        return new Finding("Rollouts", rows, how());
    }

    /** The same with a million machines. */
    Finding measureMillion() throws IOException {
        return new Finding("A rollout over a million machines", rows(run(1_000_000)), how());
    }

    private static String how() {
        return "All hosts are rebooted with the manual clock, the simulated driver and the store on disk. The rollout asks for"
                + " 48 hours of notice, so that every machine is shown its event before the first starts; each group goes one"
                + " update domain at a time with 30 minutes between. The fleets are those of the plans. The plan and the start are"
                + " timed from request to answer; the rollout from its start to its end, while the clock is"
                + " advanced by 15 minutes at a time. The heap is what is in use after a full collection, when all events"
                + " are shown. All the time, " + String.format(Locale.ROOT, "%,d", Bystanders.MACHINES)
                + " machines outside the rollout are restarted one after the other and approve that, on a new"
                + " connection each; approvals are compared with the same before the rollout.";
    }

    private static List<ReportRow> rows(Run run) {
        String of = String.format(Locale.ROOT, "%,d machines", run.machines);
        double quiet = run.quiet.approvals().quantile(0.99);
        return List.of(
                ReportRow.atMost("`rollout plan`, " + of, "≤ 5 s", run.plan, 5, " s"),
                ReportRow.plain("`rollout start`, " + of, ReportRow.number(run.start) + " s"),
                ReportRow.plain("all events shown, " + of, ReportRow.number(run.shown) + " s after the start"),
                ReportRow.atMost("heap with all events shown, " + of, "≤ 2 GiB", run.shownMib, 2048, " MiB"),
                ReportRow.plain(
                        "from start to end, " + of,
                        String.format(
                                Locale.ROOT,
                                "%.0f s, %.0f µs of CPU per machine, %,.0f commits, %.0f MiB of heap at the end",
                                run.seconds,
                                run.microsPerMachine(),
                                run.commits,
                                run.endMib)),
                ReportRow.atMost(
                        "p99 of approvals while events are shown, " + of,
                        "≤ 3 × quiet",
                        run.showing.approvals().quantile(0.99) / quiet,
                        3,
                        " ×"),
                ReportRow.atMost(
                        "p99 of approvals while the clock is advanced, " + of,
                        "≤ 3 × quiet",
                        run.advancing.approvals().quantile(0.99) / quiet,
                        3,
                        " ×"),
                ReportRow.plain("approvals before, " + of, Noticed.shape(run.quiet.approvals())),
                ReportRow.plain("approvals while events are shown, " + of, Noticed.shape(run.showing.approvals())),
                ReportRow.plain(
                        "approvals while the clock is advanced, " + of, Noticed.shape(run.advancing.approvals())));
    }

    private Run run(int machines) throws IOException {
        Path work = setup.folder("rollout-" + machines);
        FleetFile fleet = FleetFile.spread(work.resolve("fleet.jsonl"), machines, Bystanders.MACHINES);
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                setup,
                "-Xmx4g",
                "--fleet",
                fleet.file().toString(),
                "--store",
                ForewarnProcess.store(work.resolve("store")),
                "--clock",
                "manual",
                "--profile",
                "test",
                "--set",
                "terms.user-operations=1000000")) {
            Run run = new Run(machines);
            Bystanders bystanders = new Bystanders(forewarnProcess);
            bystanders.quiet(WARM);
            run.quiet = bystanders.quiet(QUIET);
            byte[] request = ("{\"name\":\"" + NAME
                            + "\",\"type\":\"reboot\",\"hosts\":[\"host-*\"],\"notice\":\"48h\"}")
                    .getBytes(UTF_8);
            long began = System.nanoTime();
            forewarnProcess.control(Route.ROLLOUT_PLAN, List.of(), request).expect(200);
            run.plan = seconds(began);
            double cpu = forewarnProcess.cpuMicros();
            double commits = commits(forewarnProcess);
            long started = System.nanoTime();
            run.showing = bystanders.during(() -> {
                forewarnProcess.control(Route.ROLLOUT_START, List.of(), request).expect(200);
                run.start = seconds(started);
                long answered = System.nanoTime();
                for (int i = 0; i < SHOWN_IN_STEPS; i++) {
                    clock(forewarnProcess, "15m");
                }
                RolloutBody rollout = ask(forewarnProcess);
                if (rollout.active() < rollout.units()) {
                    throw new IOException("only " + rollout.active() + " of " + rollout.units() + " units are shown");
                }
                run.shown = seconds(answered);
            });
            double soFar = seconds(started);
            run.shownMib = forewarnProcess.heapKib() / 1024.0;
            long advancing = System.nanoTime();
            run.advancing = bystanders.during(() -> advance(forewarnProcess));
            run.seconds = soFar + seconds(advancing);
            run.cpuMicros = forewarnProcess.cpuMicros() - cpu;
            run.commits = commits(forewarnProcess) - commits;
            run.endMib = forewarnProcess.heapKib() / 1024.0;
            return run;
        }
    }

    private static void advance(ForewarnProcess forewarnProcess) throws IOException {
        clock(forewarnProcess, "43h");
        RolloutBody rollout = ask(forewarnProcess);
        for (int i = 0; i < LONGEST_IN_STEPS && !rollout.status().equals("done"); i++) {
            clock(forewarnProcess, "15m");
            rollout = ask(forewarnProcess);
        }
        if (rollout.done() != rollout.units()) {
            throw new IOException("the rollout did not end: " + rollout.done() + " of " + rollout.units());
        }
    }

    private static void clock(ForewarnProcess forewarnProcess, String by) throws IOException {
        byte[] body = Json.write(new ClockRequest(by, null));
        forewarnProcess.control(Route.CLOCK_ADVANCE, List.of(), body).expect(200);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static double commits(ForewarnProcess forewarnProcess) throws IOException {
        return forewarnProcess.metric("forewarn_commit_seconds_count");
    }

    /** From the list: the answer about a single rollout has hundreds of events in it. */
    private static RolloutBody ask(ForewarnProcess forewarnProcess) throws IOException {
        String listed = forewarnProcess
                .control(Route.ROLLOUTS, List.of(), new byte[0])
                .expect(200)
                .text();
        String only = listed.substring(listed.indexOf('[') + 1, listed.lastIndexOf(']'));
        return Json.answer(RolloutBody.class, only.getBytes(UTF_8));
    }
}
