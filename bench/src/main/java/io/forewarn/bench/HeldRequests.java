package io.forewarn.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Many machines that wait for news at once. */
final class HeldRequests {
    private static final int PER_MACHINE = 8;
    private final BenchSetup setup;

    HeldRequests(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws IOException {
        int held = setup.quick() ? 3_000 : 14_000;
        int machines = (held + PER_MACHINE - 1) / PER_MACHINE;
        Path work = setup.folder("held");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), machines, machines);
        byte[] wait = KeptAliveConnection.request(
                "GET",
                ForewarnProcess.EVENTS,
                ForewarnProcess.METADATA + "Prefer: wait=300\r\nIf-None-Match: *\r\n",
                "");
        // All of the heap is touched at once: what the process grows by from there is not heap.
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                        setup,
                        "-Xms512m -Xmx512m -XX:+AlwaysPreTouch",
                        "--fleet",
                        fleet.file().toString(),
                        "--store",
                        ForewarnProcess.store(work.resolve("store")),
                        "--profile",
                        "test");
                MachineConnections machineConnections = new MachineConnections(forewarnProcess.port())) {
            warmUp(forewarnProcess);
            double heap = forewarnProcess.heapKib();
            double resident = forewarnProcess.residentKib();
            List<MachineConnections.Member> members =
                    machineConnections.join(held, i -> FleetFile.address(i / PER_MACHINE));
            for (MachineConnections.Member member : members) {
                machineConnections.ask(member, wait);
            }
            int early = machineConnections.listen(5_000, (member, nanos) -> {});
            double heapEach = (forewarnProcess.heapKib() - heap) / held;
            double nativeEach = (forewarnProcess.residentKib() - resident) / held;
            long began = System.nanoTime();
            forewarnProcess.restart(List.of(FleetFile.machine(0)));
            int news = 0;
            int[] good = {0};
            while (news < held && System.nanoTime() - began < 60_000_000_000L) {
                news += machineConnections.listen(1000, (member, nanos) -> good[0] += member.status() == 200 ? 1 : 0);
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            if (early > 0 || good[0] != held) {
                throw new IllegalStateException(
                        early + " were answered early and " + good[0] + " of " + held + " told");
            }
            return finding(held, machines, heapEach, nativeEach, seconds);
        }
    }

    private static void warmUp(ForewarnProcess forewarnProcess) throws IOException {
        for (int i = 0; i < 200; i++) {
            try (KeptAliveConnection connection =
                    new KeptAliveConnection(FleetFile.address(i % 8), forewarnProcess.port())) {
                connection.ask(ForewarnProcess.POLL).expect(200);
            }
        }
    }

    private static Finding finding(int held, int machines, double heapEach, double nativeEach, double seconds) {
        String many = String.format("%,d", held);
        return new Finding(
                "Held requests",
                List.of(
                        ReportRow.atMost(
                                many + " held `Prefer: wait` requests",
                                "≤ 20 KiB each",
                                heapEach + nativeEach,
                                20,
                                " KiB"),
                        ReportRow.plain(
                                "time until all are answered after a restart is scheduled",
                                ReportRow.number(seconds) + " s")),
                "Another process opens " + many + " connections as " + String.format("%,d", machines)
                        + " machines of one group, "
                        + PER_MACHINE + " each. Each connection costs " + ReportRow.number(heapEach)
                        + " KiB of heap after a full garbage collection and " + ReportRow.number(nativeEach)
                        + " KiB of other process memory (all heap pages are touched beforehand, so that any growth of the resident"
                        + " set is outside the heap). The kernel's socket buffers are not counted. Then a restart is scheduled, and"
                        + " all requests must be answered with its event.");
    }
}
