package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.bench.Bystanders.Noticed;
import io.forewarn.wire.control.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Fleet files in which all machines differ from what they were, and in which none does: what others notice of them. */
final class FleetFiles {
    private static final int WARM = 300;
    private static final int QUIET = 300;
    private static final int UNCHANGED = 3;
    private static final String HEAP = "-Xmx1g";

    private final BenchSetup setup;

    FleetFiles(BenchSetup setup) {
        this.setup = setup;
    }

    /** What one size took. */
    private static final class Run {
        final int machines;
        final Measurements changed = new Measurements();
        final Measurements moved = new Measurements();
        final Measurements unchanged = new Measurements();
        final Measurements cpuSeconds = new Measurements();
        Noticed quiet;
        Measurements quietPolls;
        Noticed changing;
        Measurements changingPolls;
        double peakMib;
        double restMib;

        Run(int machines) {
            this.machines = machines;
        }
    }

    Finding measure() throws IOException {
        List<ReportRow> rows = new ArrayList<>();
        for (int machines : setup.quick() ? List.of(100_000) : List.of(100_000, 1_000_000)) {
            List<ReportRow> some = rows(run(machines));
            some.forEach(row -> System.err.println("  " + row.line()));
            rows.addAll(some);
        }
        return new Finding(
                "Fleet files",
                rows,
                "A fleet of machines in groups of ten is in the store on disk and in a service that was"
                        + " started with `" + HEAP
                        + "`. Three times, a file is applied in which every machine is on another host;"
                        + " the change is over when the next change of the fleet was answered. The first two times, "
                        + String.format(Locale.ROOT, "%,d", Bystanders.MACHINES)
                        + " other machines are restarted one after the other and approve that, on a new connection each,"
                        + " and 64 of them poll over kept-alive connections, 100 times a second, each poll at its time"
                        + " whether the one before was answered or not; both are compared with the same before."
                        + " The third time, the heap is looked at again and again after a full collection, and the table shows"
                        + " the largest. The unchanged file is applied three times.");
    }

    private static List<ReportRow> rows(Run run) {
        String of = String.format(Locale.ROOT, "%,d machines", run.machines);
        return List.of(
                ReportRow.atMost(
                        "p99 of polls while all of " + of + " change",
                        "≤ 2 × quiet",
                        run.changingPolls.quantile(0.99) / run.quietPolls.quantile(0.99),
                        2,
                        " ×"),
                ReportRow.atMost(
                        "p99 of approvals while all of " + of + " change",
                        "≤ 3 × quiet",
                        run.changing.approvals().quantile(0.99)
                                / run.quiet.approvals().quantile(0.99),
                        3,
                        " ×"),
                ReportRow.atMost("heap while all of " + of + " change", "≤ 700 MiB", run.peakMib, 700, " MiB"),
                ReportRow.atMost("an unchanged file of " + of, "≤ 3 s", run.unchanged.quantile(1), 3, " s"),
                ReportRow.plain("heap before, " + of, ReportRow.number(run.restMib) + " MiB"),
                ReportRow.plain(
                        "a file in which all differ, " + of,
                        "answered after " + run.changed.spread(" s") + ", over after " + run.moved.spread(" s") + ", "
                                + run.cpuSeconds.spread(" s of CPU")),
                ReportRow.plain("polls before, " + of, Noticed.shape(run.quietPolls)),
                ReportRow.plain("polls meanwhile, " + of, Noticed.shape(run.changingPolls)),
                ReportRow.plain("approvals before, " + of, Noticed.shape(run.quiet.approvals())),
                ReportRow.plain("approvals meanwhile, " + of, Noticed.shape(run.changing.approvals())),
                ReportRow.plain("schedules before, " + of, Noticed.shape(run.quiet.schedules())),
                ReportRow.plain("schedules meanwhile, " + of, Noticed.shape(run.changing.schedules())));
    }

    private Run run(int machines) throws IOException {
        Path work = setup.folder("files-" + machines);
        FleetFile here = FleetFile.named(work.resolve("here.jsonl"), machines, Bystanders.MACHINES, "host");
        FleetFile there = FleetFile.named(work.resolve("there.jsonl"), machines, Bystanders.MACHINES, "rack");
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                setup,
                HEAP,
                "--fleet",
                here.file().toString(),
                "--store",
                ForewarnProcess.store(work.resolve("store")),
                "--clock",
                "manual",
                "--profile",
                "test",
                "--set",
                "terms.user-operations=1000000")) {
            Run run = new Run(machines);
            put(forewarnProcess, 0);
            Bystanders bystanders = new Bystanders(forewarnProcess);
            bystanders.quiet(WARM);
            run.restMib = forewarnProcess.heapKib() / 1024.0;
            try (SteadyPolls polls = new SteadyPolls(forewarnProcess)) {
                run.quietPolls = polls.millis;
                run.quiet = bystanders.quiet(QUIET);
            }
            try (SteadyPolls polls = new SteadyPolls(forewarnProcess)) {
                run.changingPolls = polls.millis;
                run.changing = bystanders.during(() -> {
                    change(forewarnProcess, there, run);
                    change(forewarnProcess, here, run);
                });
            }
            for (int i = 0; i < UNCHANGED; i++) {
                long began = System.nanoTime();
                apply(forewarnProcess, here);
                run.unchanged.add((System.nanoTime() - began) / 1e9);
            }
            run.peakMib = peakMib(forewarnProcess, () -> change(forewarnProcess, there, run));
            return run;
        }
    }

    private static double peakMib(ForewarnProcess forewarnProcess, Bystanders.Deed deed) throws IOException {
        double[] peak = {0};
        boolean[] over = {false};
        Thread watch = new Thread(() -> {
            while (!isOver(over)) {
                try {
                    peak[0] = Math.max(peak[0], forewarnProcess.heapKib() / 1024.0);
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        });
        watch.start();
        try {
            deed.run();
        } finally {
            synchronized (over) {
                over[0] = true;
            }
        }
        try {
            watch.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return peak[0];
    }

    private static boolean isOver(boolean[] over) {
        synchronized (over) {
            return over[0];
        }
    }

    private static void change(ForewarnProcess forewarnProcess, FleetFile fleet, Run run) throws IOException {
        double cpu = forewarnProcess.cpuMicros();
        long began = System.nanoTime();
        apply(forewarnProcess, fleet);
        run.changed.add((System.nanoTime() - began) / 1e9);
        // Fleet changes follow one another, so this one waits until the large one is in its place.
        put(forewarnProcess, System.nanoTime());
        run.moved.add((System.nanoTime() - began) / 1e9);
        run.cpuSeconds.add((forewarnProcess.cpuMicros() - cpu) / 1e6);
    }

    private static void put(ForewarnProcess forewarnProcess, long host) throws IOException {
        byte[] body = ("{\"host\":\"probe-" + host + "\"}").getBytes(UTF_8);
        forewarnProcess.control(Route.MACHINE_PUT, List.of("probe"), body).expect(200);
    }

    private static void apply(ForewarnProcess forewarnProcess, FleetFile fleet) throws IOException {
        byte[] file = Files.readAllBytes(fleet.file());
        String head = "PUT " + Route.FLEET_APPLY.uri() + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                + forewarnProcess.token() + "\r\nContent-Length: " + file.length + "\r\n\r\n";
        ByteArrayOutputStream request = new ByteArrayOutputStream(file.length + head.length());
        request.writeBytes(head.getBytes(UTF_8));
        request.writeBytes(file);
        try (KeptAliveConnection operator = new KeptAliveConnection("127.0.0.1", forewarnProcess.controlPort())) {
            operator.ask(request.toByteArray()).expect(200);
        }
    }

    /** Polls at fixed times, each timed from when it was to be sent: what waits behind a stall counts as stalled too. */
    private static final class SteadyPolls implements AutoCloseable {
        private static final int MACHINES = 64;
        private static final int FIRST = Bystanders.MACHINES - MACHINES;
        private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(10);

        final Measurements millis = new Measurements();
        private final List<KeptAliveConnection> connections = new ArrayList<>();
        private final Thread polling;
        private volatile boolean over;

        SteadyPolls(ForewarnProcess forewarnProcess) throws IOException {
            for (int i = 0; i < MACHINES; i++) {
                connections.add(new KeptAliveConnection(FleetFile.address(FIRST + i), forewarnProcess.port()));
            }
            polling = new Thread(() -> {
                long due = System.nanoTime();
                for (int i = 0; !over; i++, due += EVERY) {
                    while (System.nanoTime() < due) {
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    try {
                        int status = connections
                                .get(i % MACHINES)
                                .ask(ForewarnProcess.POLL)
                                .status();
                        if (status != 200 && status != 429) {
                            throw new IOException("answered " + status);
                        }
                    } catch (IOException failure) {
                        throw new UncheckedIOException(failure);
                    }
                    millis.add((System.nanoTime() - due) / 1e6);
                }
            });
            polling.start();
        }

        @Override
        public void close() throws IOException {
            over = true;
            try {
                polling.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            for (KeptAliveConnection connection : connections) {
                connection.close();
            }
        }
    }
}
