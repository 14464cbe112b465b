package io.forewarn.bench;

import io.forewarn.wire.control.EtcdMemberBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StatusBody;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What it costs that there are three nodes: a poll at one that does not write, the way of a commit to the slowest, a start. */
final class ClusterCost {
    private static final int PER_GROUP = 10;
    private static final int POLLERS = 64;
    private static final double MOST_MILLIS = 50;
    private static final double MOST_SECONDS = 60;
    private static final long SETTLED = 2_000_000_000L;

    private final BenchSetup setup;
    private final int polled;
    private final int large;
    private final int times;

    ClusterCost(BenchSetup setup) {
        this.setup = setup;
        this.polled = 10_000;
        this.large = setup.quick() ? 50_000 : 1_000_000;
        this.times = setup.quick() ? 100 : 1000;
    }

    Finding measure() throws IOException {
        Path work = setup.folder("nodes");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), polled, PER_GROUP);
        Measurements follower = new Measurements();
        Measurements alone = new Measurements();
        Measurements slowest = new Measurements();
        Measurements idleFollower = new Measurements();
        Measurements idleAlone = new Measurements();
        try (EtcdProcesses etcdProcesses = EtcdProcesses.start(setup, setup.folder("nodes-etcd"));
                ForewarnProcess writer = start(etcdProcesses.location(), "small/", fleet);
                ForewarnProcess second = start(etcdProcesses.location(), "small/", fleet);
                ForewarnProcess third = start(etcdProcesses.location(), "small/", fleet)) {
            ways(List.of(writer, second, third), slowest);
            try (ForewarnProcess one = start(ForewarnProcess.store(work.resolve("store")), "", fleet)) {
                polls(second, one, follower, alone);
                for (int round = 0; round < setup.rounds(3); round++) {
                    idle(second, setup.seconds(6), idleFollower);
                    idle(one, setup.seconds(6), idleAlone);
                }
            }
        }
        return finding(follower, alone, idleFollower, idleAlone, slowest, large(work));
    }

    private ForewarnProcess start(String store, String prefix, FleetFile fleet) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "--fleet",
                fleet.file().toString(),
                "--store",
                store,
                "--set",
                "metadata.requests-per-second=0",
                "--set",
                "terms.user-operations=1000000"));
        if (!prefix.isEmpty()) {
            flags.addAll(List.of("--set", "store.etcd.prefix=" + prefix));
        }
        return ForewarnProcess.start(setup, "", flags.toArray(String[]::new));
    }

    private void polls(ForewarnProcess second, ForewarnProcess one, Measurements follower, Measurements alone)
            throws IOException {
        try (MachineConnections there = new MachineConnections(second.port());
                MachineConnections here = new MachineConnections(one.port())) {
            List<MachineConnections.Member> followers = there.join(POLLERS, i -> FleetFile.address(i * PER_GROUP));
            List<MachineConnections.Member> lonely = here.join(POLLERS, i -> FleetFile.address(i * PER_GROUP));
            int seconds = setup.seconds(6);
            Measurements warm = new Measurements();
            for (int round = -2; round < setup.rounds(5); round++) {
                poll(second, there, followers, seconds, round < 0 ? warm : follower);
                poll(one, here, lonely, seconds, round < 0 ? warm : alone);
            }
        }
    }

    /** Microseconds of CPU per poll. */
    private static void poll(
            ChildProcess server,
            MachineConnections machineConnections,
            List<MachineConnections.Member> members,
            int seconds,
            Measurements micros)
            throws IOException {
        double before = server.cpuMicros();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        int[] under = {members.size()};
        double[] polls = {0};
        for (MachineConnections.Member member : members) {
            machineConnections.ask(member, ForewarnProcess.POLL);
        }
        while (under[0] > 0) {
            machineConnections.listen(1000, (member, nanos) -> {
                if (member.status() != 200) {
                    throw new IllegalStateException("a poll was answered " + member.status());
                }
                polls[0]++;
                if (System.nanoTime() < until) {
                    machineConnections.ask(member, ForewarnProcess.POLL);
                } else {
                    under[0]--;
                }
            });
        }
        micros.add((server.cpuMicros() - before) / polls[0]);
    }

    /** Milliseconds of CPU per second of a server that nobody polls. */
    private static void idle(ChildProcess server, int seconds, Measurements millis) throws IOException {
        double before = server.cpuMicros();
        long began = System.nanoTime();
        LockSupport.parkNanos(seconds * 1_000_000_000L);
        millis.add((server.cpuMicros() - before) * 1e6 / (System.nanoTime() - began));
    }

    private void ways(List<ForewarnProcess> nodes, Measurements slowest) throws IOException {
        try (PropagationTime propagationTime = new PropagationTime(nodes)) {
            for (int i = -times / 4; i < times; i++) {
                double millis = propagationTime.once();
                if (i >= 0) {
                    slowest.add(millis);
                }
            }
        }
    }

    /**
     * A large fleet.
     *
     * @param putting seconds until a node that is given it as a file has it in etcd and is ready
     * @param reading seconds until a node that joins has read it and is ready
     * @param cpu seconds of CPU that took it
     * @param mebibytes of the largest member's database afterwards, history of the change included
     */
    private record Large(double putting, double reading, double cpu, double mebibytes) {}

    private Large large(Path work) throws IOException {
        FleetFile fleet = FleetFile.write(work.resolve("large.jsonl"), large, PER_GROUP);
        try (EtcdProcesses etcdProcesses = EtcdProcesses.start(setup, setup.folder("large-etcd"))) {
            long began = System.nanoTime();
            try (ForewarnProcess writer = start(etcdProcesses.location(), "large/", fleet)) {
                double putting = (System.nanoTime() - began) / 1e9;
                settle(writer);
                began = System.nanoTime();
                try (ForewarnProcess joining = ForewarnProcess.start(
                        setup, "", "--store", etcdProcesses.location(), "--set", "store.etcd.prefix=large/")) {
                    double reading = (System.nanoTime() - began) / 1e9;
                    double cpu = joining.cpuMicros() / 1e6;
                    try (KeptAliveConnection machine =
                            new KeptAliveConnection(FleetFile.address(large - 1), joining.port())) {
                        machine.ask(ForewarnProcess.POLL).expect(200);
                    }
                    return new Large(putting, reading, cpu, mebibytes(writer));
                }
            }
        }
    }

    private static double mebibytes(ForewarnProcess node) throws IOException {
        byte[] status =
                node.control(Route.STATUS, List.of(), new byte[0]).expect(200).body();
        return Json.answer(StatusBody.class, status).etcd().stream()
                        .filter(EtcdMemberBody::responding)
                        .mapToLong(EtcdMemberBody::databaseBytes)
                        .max()
                        .orElseThrow()
                / 1048576.0;
    }

    /** What was staged is moved to its place after the fleet is there. */
    private static void settle(ForewarnProcess writer) throws IOException {
        double before;
        double after = writer.metric("forewarn_commit_seconds_count");
        do {
            before = after;
            LockSupport.parkNanos(SETTLED);
            after = writer.metric("forewarn_commit_seconds_count");
        } while (after > before + 1);
    }

    private Finding finding(
            Measurements follower,
            Measurements alone,
            Measurements idleFollower,
            Measurements idleAlone,
            Measurements slowest,
            Large found) {
        return new Finding(
                "Three nodes on etcd",
                List.of(
                        ReportRow.atMost(
                                "CPU per poll on a follower (a node that is not the writer)",
                                "≤ 1.05 × a single node that stores its records in a file",
                                follower.median() / alone.median(),
                                1.05,
                                " ×"),
                        ReportRow.atMost(
                                "from commit to visible on the slowest of three nodes, p99",
                                "≤ 50 ms",
                                slowest.quantile(0.99),
                                MOST_MILLIS,
                                " ms"),
                        ReportRow.atMost(
                                "a node joins and reads " + String.format("%,d", large) + " machines",
                                "≤ 60 s for 1,000,000",
                                found.reading,
                                MOST_SECONDS,
                                " s"),
                        ReportRow.plain(
                                "a node loads them into etcd from a file", ReportRow.number(found.putting) + " s"),
                        ReportRow.plain(
                                "size of etcd's database afterwards; etcd's default limit is 2 GiB",
                                ReportRow.number(found.mebibytes) + " MiB")),
                "Three etcd members and three nodes run on one machine, so all six share its processors. 64 machines of"
                        + " 64 groups poll"
                        + " a follower and a single node alternately, "
                        + setup.rounds(5) + " rounds of " + setup.seconds(6)
                        + " s: " + follower.spread(" µs") + " of CPU per poll on the follower, compared with "
                        + alone.spread(" µs")
                        + " on the single node. The follower's figure includes its other work for the cluster: without polls, the"
                        + " follower uses " + idleFollower.spread(" ms") + " of CPU per second, and the single node "
                        + idleAlone.spread(" ms") + ". The propagation of a"
                        + " commit is measured "
                        + String.format("%,d", times)
                        + " times: a machine waits at all three nodes (`Prefer: wait`), and the time is measured from the writer's"
                        + " answer, which comes after the commit, until the last of the nodes has answered the machine; median "
                        + ReportRow.number(slowest.median()) + " ms, p99 " + ReportRow.number(slowest.quantile(0.99))
                        + " ms. Joining and loading are measured from the start of the process until it is ready; joining took "
                        + ReportRow.number(found.cpu)
                        + " s of CPU. Afterwards, a machine of the large fleet is polled.");
    }
}
