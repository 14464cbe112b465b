package io.forewarn.bench;

import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A big fleet in a small heap: read from a file, then again from the store. */
final class Memory {
    private final BenchSetup setup;

    Memory(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws IOException {
        int machines = setup.quick() ? 100_000 : 1_000_000;
        Path work = setup.folder("memory");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), machines, 10);
        String store = ForewarnProcess.store(work.resolve("store"));
        String heap = "-Xmx1g";
        long began = System.nanoTime();
        double fromFile;
        double used;
        try (ForewarnProcess forewarnProcess =
                ForewarnProcess.start(setup, heap, "--fleet", fleet.file().toString(), "--store", store)) {
            fromFile = (System.nanoTime() - began) / 1e9;
            used = settledMib(forewarnProcess);
            polls(forewarnProcess, machines);
        }
        began = System.nanoTime();
        double fromStore;
        double again;
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(setup, heap, "--store", store)) {
            fromStore = (System.nanoTime() - began) / 1e9;
            polls(forewarnProcess, machines);
            again = settledMib(forewarnProcess);
        }
        String many = String.format("%,d machines", machines);
        double worst = Math.max(used, again);
        return new Finding(
                "Memory",
                List.of(
                        ReportRow.atMost("memory, " + many, "≤ 1 GiB heap", worst, 1024, " MiB"),
                        ReportRow.plain("start with " + many + " in the store", ReportRow.number(fromStore) + " s")),
                "The fleet has " + many + " in groups of ten, and the JVM is started with `" + heap
                        + "`. First, the service reads the fleet from a JSON Lines file into an empty store (ready after "
                        + ReportRow.number(fromFile) + " s, " + ReportRow.number(used)
                        + " MiB in use after a full garbage collection); then it is restarted with that store (ready after "
                        + ReportRow.number(fromStore) + " s, " + ReportRow.number(again)
                        + " MiB). Both times, randomly chosen machines are polled.");
    }

    /** A big change is moved to its place after it is answered; what that needs is given back at its end. */
    private static double settledMib(ForewarnProcess forewarnProcess) throws IOException {
        double before = Double.MAX_VALUE;
        double now = forewarnProcess.heapKib();
        while (now < 0.98 * before) {
            LockSupport.parkNanos(5_000_000_000L);
            before = now;
            now = forewarnProcess.heapKib();
        }
        forewarnProcess.control(Route.STATUS, List.of(), new byte[0]).expect(200);
        return now / 1024;
    }

    private static void polls(ForewarnProcess forewarnProcess, int machines) throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            try (KeptAliveConnection connection =
                    new KeptAliveConnection(FleetFile.address(random.nextInt(machines)), forewarnProcess.port())) {
                connection.ask(ForewarnProcess.POLL).expect(200);
            }
        }
    }
}
