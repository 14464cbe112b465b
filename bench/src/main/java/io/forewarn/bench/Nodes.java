package io.forewarn.bench;

import io.forewarn.wire.control.EtcdBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StatusBody;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What it costs that there are three nodes: a poll at one that does not write, the way of a commit to the slowest, a start. */
final class Nodes {
    private static final int PER_GROUP = 10;
    private static final int POLLERS = 64;
    private static final double MOST_MILLIS = 50;
    private static final double MOST_SECONDS = 60;
    private static final long SETTLED = 2_000_000_000L;

    private final Place place;
    private final int polled;
    private final int large;
    private final int times;

    Nodes(Place place) {
        this.place = place;
        this.polled = 10_000;
        this.large = place.quick() ? 50_000 : 1_000_000;
        this.times = place.quick() ? 100 : 1000;
    }

    Finding measure() throws IOException {
        Path work = place.folder("nodes");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), polled, PER_GROUP);
        Figures follower = new Figures();
        Figures alone = new Figures();
        Figures slowest = new Figures();
        try (Etcd etcd = Etcd.start(place, place.folder("nodes-etcd"));
                Forewarn writer = start(etcd.location(), "small/", fleet);
                Forewarn second = start(etcd.location(), "small/", fleet);
                Forewarn third = start(etcd.location(), "small/", fleet)) {
            ways(List.of(writer, second, third), slowest);
            try (Forewarn one = start(Forewarn.store(work.resolve("store")), "", fleet)) {
                polls(second, one, follower, alone);
            }
        }
        return finding(follower, alone, slowest, large(work));
    }

    private Forewarn start(String store, String prefix, FleetFile fleet) throws IOException {
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
        return Forewarn.start(place, "", flags.toArray(String[]::new));
    }

    private void polls(Forewarn second, Forewarn one, Figures follower, Figures alone) throws IOException {
        try (Crowd there = new Crowd(second.port());
                Crowd here = new Crowd(one.port())) {
            List<Crowd.Member> followers = there.join(POLLERS, i -> FleetFile.address(i * PER_GROUP));
            List<Crowd.Member> lonely = here.join(POLLERS, i -> FleetFile.address(i * PER_GROUP));
            int seconds = place.seconds(6);
            Figures warm = new Figures();
            for (int round = -2; round < place.rounds(5); round++) {
                poll(second, there, followers, seconds, round < 0 ? warm : follower);
                poll(one, here, lonely, seconds, round < 0 ? warm : alone);
            }
        }
    }

    /** Microseconds of CPU per poll. */
    private static void poll(Running server, Crowd crowd, List<Crowd.Member> members, int seconds, Figures micros)
            throws IOException {
        double before = server.cpuMicros();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        int[] under = {members.size()};
        double[] polls = {0};
        for (Crowd.Member member : members) {
            crowd.ask(member, Forewarn.POLL);
        }
        while (under[0] > 0) {
            crowd.listen(1000, (member, nanos) -> {
                if (member.status() != 200) {
                    throw new IllegalStateException("a poll was answered " + member.status());
                }
                polls[0]++;
                if (System.nanoTime() < until) {
                    crowd.ask(member, Forewarn.POLL);
                } else {
                    under[0]--;
                }
            });
        }
        micros.add((server.cpuMicros() - before) / polls[0]);
    }

    private void ways(List<Forewarn> nodes, Figures slowest) throws IOException {
        try (Ways ways = new Ways(nodes)) {
            for (int i = -times / 4; i < times; i++) {
                double millis = ways.once();
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
        try (Etcd etcd = Etcd.start(place, place.folder("large-etcd"))) {
            long began = System.nanoTime();
            try (Forewarn writer = start(etcd.location(), "large/", fleet)) {
                double putting = (System.nanoTime() - began) / 1e9;
                settle(writer);
                began = System.nanoTime();
                try (Forewarn joining =
                        Forewarn.start(place, "", "--store", etcd.location(), "--set", "store.etcd.prefix=large/")) {
                    double reading = (System.nanoTime() - began) / 1e9;
                    double cpu = joining.cpuMicros() / 1e6;
                    try (Line machine = new Line(FleetFile.address(large - 1), joining.port())) {
                        machine.ask(Forewarn.POLL).expect(200);
                    }
                    return new Large(putting, reading, cpu, mebibytes(writer));
                }
            }
        }
    }

    private static double mebibytes(Forewarn node) throws IOException {
        byte[] status =
                node.control(Route.STATUS, List.of(), new byte[0]).expect(200).body();
        return Json.answer(StatusBody.class, status).etcd().stream()
                        .filter(EtcdBody::answers)
                        .mapToLong(EtcdBody::bytes)
                        .max()
                        .orElseThrow()
                / 1048576.0;
    }

    /** What was staged is moved to its place after the fleet is there. */
    private static void settle(Forewarn writer) throws IOException {
        double before;
        double after = writer.metric("forewarn_commit_seconds_count");
        do {
            before = after;
            LockSupport.parkNanos(SETTLED);
            after = writer.metric("forewarn_commit_seconds_count");
        } while (after > before + 1);
    }

    private Finding finding(Figures follower, Figures alone, Figures slowest, Large found) {
        return new Finding(
                "Three nodes on etcd",
                List.of(
                        Row.atMost(
                                "CPU per poll of a node that follows",
                                "≤ 1.1 × the same on one node with a file",
                                follower.median() / alone.median(),
                                1.1,
                                " ×"),
                        Row.atMost(
                                "from commit to visible at the slowest of three nodes, p99",
                                "≤ 50 ms",
                                slowest.quantile(0.99),
                                MOST_MILLIS,
                                " ms"),
                        Row.atMost(
                                "a node joins and reads " + String.format("%,d", large) + " machines",
                                "≤ 60 s for 1,000,000",
                                found.reading,
                                MOST_SECONDS,
                                " s"),
                        Row.plain("a node puts them there from a file", Row.number(found.putting) + " s"),
                        Row.plain(
                                "etcd's database then, of 2 GiB that it takes unless told otherwise",
                                Row.number(found.mebibytes) + " MiB")),
                "Three members of etcd and three nodes on one machine, so all six share its processors. 64 machines of 64 groups poll"
                        + " a follower and a single node in turn, "
                        + place.rounds(5) + " rounds of " + place.seconds(6)
                        + " s: " + follower.spread(" µs") + " of CPU per poll against " + alone.spread(" µs")
                        + "; what the follower does besides, its lease and its watch, is counted in. The way of a commit is"
                        + " measured " + String.format("%,d", times)
                        + " times, from the writer's answer, which follows the commit, until a machine that waits for news at all three nodes"
                        + " (`Prefer: wait`) has been told by the last of them: median "
                        + Row.number(slowest.median()) + " ms, p99 " + Row.number(slowest.quantile(0.99))
                        + " ms. Joining and putting are from the start of the process until it is ready; joining took "
                        + Row.number(found.cpu)
                        + " s of CPU, and a machine of the large fleet is then answered.");
    }
}
