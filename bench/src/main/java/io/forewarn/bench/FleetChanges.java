package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.ClockRequest;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Changes of one machine in a large fleet, one a second, while a rollout over all hosts is under way. */
final class FleetChanges {
    private final BenchSetup setup;

    FleetChanges(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws IOException {
        List<ReportRow> rows = new ArrayList<>();
        for (int machines : setup.quick() ? List.of(10_000, 100_000) : List.of(10_000, 100_000, 1_000_000)) {
            rows.add(measure(machines));
        }
        return new Finding(
                "Fleet changes during a rollout",
                rows,
                "A rollout that reboots all hosts, 1 % at a time, is in progress with the manual clock and the store on"
                        + " disk. Once a second, one machine moves to another host, and each change is timed from request to answer."
                        + " The CPU time is that of all threads of the server, averaged over all changes. The fleets are the same as"
                        + " for the plans.");
    }

    private ReportRow measure(int machines) throws IOException {
        Path work = setup.folder("changes-" + machines);
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
            String request = "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"*\"],\"atOnce\":\"1%\"}";
            forewarnProcess
                    .control(Route.ROLLOUT_START, List.of(), request.getBytes(UTF_8))
                    .expect(200);
            forewarnProcess
                    .control(Route.CLOCK_ADVANCE, List.of(), Json.write(new ClockRequest("1m", null)))
                    .expect(200);
            List<Double> millis = new ArrayList<>();
            double before = forewarnProcess.cpuMicros();
            int changes = setup.rounds(30);
            for (int i = 0; i < changes; i++) {
                int number = machines - 1 - i * 10;
                String body = "{\"group\":\"" + fleet.groupName(number / fleet.perGroup()) + "\",\"host\":\"spare-" + i
                        + "\"}";
                long began = System.nanoTime();
                forewarnProcess
                        .control(Route.MACHINE_PUT, List.of(FleetFile.machine(number)), body.getBytes(UTF_8))
                        .expect(200);
                millis.add((System.nanoTime() - began) / 1e6);
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            }
            double cpu = (forewarnProcess.cpuMicros() - before) / 1000 / changes;
            Collections.sort(millis);
            return ReportRow.plain(
                    String.format(Locale.ROOT, "one machine of %,d moves", machines),
                    String.format(
                            Locale.ROOT,
                            "median %.0f ms, slowest %.0f ms, %.0f ms of CPU per change",
                            millis.get(changes / 2),
                            millis.get(changes - 1),
                            cpu));
        }
    }
}
