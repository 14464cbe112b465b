package io.forewarn.bench;

import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A big fleet in a small heap: read from a file, then again from the store. */
final class Memory {
    private final Place place;

    Memory(Place place) {
        this.place = place;
    }

    Finding measure() throws IOException {
        int machines = place.quick() ? 100_000 : 1_000_000;
        Path work = place.folder("memory");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), machines, 10);
        String store = Forewarn.store(work.resolve("store"));
        String heap = "-Xmx1g";
        long began = System.nanoTime();
        double fromFile;
        double used;
        try (Forewarn forewarn =
                Forewarn.start(place, heap, "--fleet", fleet.file().toString(), "--store", store)) {
            fromFile = (System.nanoTime() - began) / 1e9;
            used = settledMib(forewarn);
            polls(forewarn, machines);
        }
        began = System.nanoTime();
        double fromStore;
        double again;
        try (Forewarn forewarn = Forewarn.start(place, heap, "--store", store)) {
            fromStore = (System.nanoTime() - began) / 1e9;
            polls(forewarn, machines);
            again = settledMib(forewarn);
        }
        String many = String.format("%,d machines", machines);
        double worst = Math.max(used, again);
        return new Finding(
                "Memory",
                List.of(
                        Row.atMost("memory, " + many, "≤ 1 GiB heap", worst, 1024, " MiB"),
                        Row.plain("start with " + many + " in the store", Row.number(fromStore) + " s")),
                many + " in groups of ten, JVM started with `" + heap
                        + "`. Read from a JSON Lines file into an empty store"
                        + " (ready after " + Row.number(fromFile) + " s, " + Row.number(used)
                        + " MiB in use after a full collection), ended, and started again from the store (ready after "
                        + Row.number(fromStore) + " s, " + Row.number(again)
                        + " MiB). Machines picked at random were polled both times.");
    }

    /** A big change is moved to its place after it is answered; what that needs is given back at its end. */
    private static double settledMib(Forewarn forewarn) throws IOException {
        double before = Double.MAX_VALUE;
        double now = forewarn.heapKib();
        while (now < 0.98 * before) {
            LockSupport.parkNanos(5_000_000_000L);
            before = now;
            now = forewarn.heapKib();
        }
        forewarn.control(Route.STATUS, List.of(), new byte[0]).expect(200);
        return now / 1024;
    }

    private static void polls(Forewarn forewarn, int machines) throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            try (Line line = new Line(FleetFile.address(random.nextInt(machines)), forewarn.port())) {
                line.ask(Forewarn.POLL).expect(200);
            }
        }
    }
}
