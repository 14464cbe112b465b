package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.ClockRequest;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.RolloutBody;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A rollout over all hosts of fleets of three sizes, from its start to its end, by the service as a user starts it. */
final class RolloutTime {
    private static final String NAME = "os";
    private static final int LONGEST_IN_STEPS = 100;

    private final BenchSetup setup;

    RolloutTime(BenchSetup setup) {
        this.setup = setup;
    }

    /** What one size took. */
    private record Run(int machines, int hosts, double seconds, double cpuMicros, double heapMib) {
        double microsPerMachine() {
            return cpuMicros / machines;
        }
    }

    Finding measure() throws IOException {
        List<Run> runs = new ArrayList<>();
        List<ReportRow> rows = new ArrayList<>();
        List<Integer> sizes = setup.quick() ? List.of(10_000, 100_000) : List.of(10_000, 100_000, 1_000_000);
        for (int machines : sizes) {
            Run run = run(machines);
            runs.add(run);
            rows.add(ReportRow.plain(
                    String.format(Locale.ROOT, "rollout over %,d machines on %,d hosts", machines, run.hosts),
                    String.format(
                            Locale.ROOT,
                            "%.0f s, %.0f µs of CPU per machine, %.0f MiB heap",
                            run.seconds,
                            run.microsPerMachine(),
                            run.heapMib)));
        }
        Run middle = runs.get(runs.size() - 2);
        Run last = runs.get(runs.size() - 1);
        rows.add(ReportRow.atMost(
                "CPU per machine, with ten times the machines",
                "≤ 1.5 ×",
                last.microsPerMachine() / middle.microsPerMachine(),
                1.5,
                " ×"));
        return new Finding(
                "Rollouts",
                rows,
                "All hosts are rebooted with the manual clock, the simulated driver and the store on disk: every"
                        + " machine gets an event that is scheduled with 15 minutes of notice, started, completed and recorded"
                        + " in the history; the update domains of each group follow each other 30 minutes apart. The fleets are the"
                        + " same as for the plans. The heap is what is in use after a full garbage collection at the end.");
    }

    private Run run(int machines) throws IOException {
        Path work = setup.folder("rollout-" + machines);
        FleetFile fleet = FleetFile.spread(work.resolve("fleet.jsonl"), machines);
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
                "test")) {
            double cpu = forewarnProcess.cpuMicros();
            long began = System.nanoTime();
            String request = "{\"name\":\"" + NAME + "\",\"type\":\"reboot\",\"hosts\":[\"*\"]}";
            RolloutBody rollout = ask(forewarnProcess, Route.ROLLOUT_START, List.of(), request.getBytes(UTF_8));
            for (int i = 0; i < LONGEST_IN_STEPS && !rollout.status().equals("done"); i++) {
                byte[] quarter = Json.write(new ClockRequest("15m", null));
                forewarnProcess.control(Route.CLOCK_ADVANCE, List.of(), quarter).expect(200);
                rollout = ask(forewarnProcess, Route.ROLLOUT, List.of(NAME), new byte[0]);
            }
            if (rollout.done() != rollout.units()) {
                throw new IOException("the rollout did not end: " + rollout.done() + " of " + rollout.units());
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            double used = forewarnProcess.cpuMicros() - cpu;
            return new Run(machines, rollout.units(), seconds, used, forewarnProcess.heapKib() / 1024.0);
        }
    }

    private static RolloutBody ask(ForewarnProcess forewarnProcess, Route route, List<String> parts, byte[] body)
            throws IOException {
        KeptAliveConnection.Answer answer =
                forewarnProcess.control(route, parts, body).expect(200);
        return Json.answer(RolloutBody.class, answer.body());
    }
}
