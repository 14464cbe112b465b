package io.forewarn.bench;

import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.OutcomeBody;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What it costs that there are three nodes: a poll at one that does not write, the way of a commit to the slowest, a start. */
final class Nodes {
    private static final int PER_GROUP = 10;
    private static final int POLLERS = 64;
    private static final double MOST_MILLIS = 50;
    private static final double MOST_SECONDS = 60;

    private final Place place;
    private final int polled;
    private final int large;

    Nodes(Place place) {
        this.place = place;
        this.polled = 10_000;
        this.large = place.quick() ? 50_000 : 1_000_000;
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
            ways(
                    List.of(writer, second, third),
                    slowest); // First: the operator's connection does not stay open for long.
            try (Forewarn one = start(Forewarn.store(work.resolve("store")), "", fleet)) {
                polls(second, one, follower, alone);
            }
        }
        return finding(follower, alone, slowest, reading(work));
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

    /** From the writer's answer, which follows the commit, until the last node shows the event: milliseconds. */
    private void ways(List<Forewarn> nodes, Figures slowest) throws IOException {
        int times = place.quick() ? 100 : 2000;
        List<Line> machines = new ArrayList<>();
        try {
            for (Forewarn node : nodes) {
                machines.add(new Line(FleetFile.address(0), node.port()));
            }
            machines.get(0).ask(Forewarn.POLL).expect(200); // From now on its group gets notice.
            for (int i = -times / 4; i < times; i++) {
                double millis = way(nodes.get(0), machines);
                if (i >= 0) {
                    slowest.add(millis);
                }
            }
        } finally {
            for (Line machine : machines) {
                machine.close();
            }
        }
    }

    private static double way(Forewarn writer, List<Line> machines) throws IOException {
        Line.Answer scheduled = writer.control(
                        Route.MACHINE_ACTION,
                        List.of(FleetFile.machine(0), "restart"),
                        "{\"notice\":\"12h\"}".getBytes())
                .expect(200);
        long committed = System.nanoTime();
        String id =
                Json.answer(OutcomeBody.class, scheduled.body()).events().get(0).id();
        for (Line machine : machines) {
            while (!machine.ask(Forewarn.POLL).expect(200).text().contains(id)) {
                Thread.onSpinWait();
            }
        }
        double millis = (System.nanoTime() - committed) / 1e6;
        writer.control(Route.EVENT_CANCEL, List.of(id), new byte[0]).expect(200);
        for (Line machine : machines) {
            while (machine.ask(Forewarn.POLL).expect(200).text().contains(id)) {
                Thread.onSpinWait();
            }
        }
        return millis;
    }

    /** Seconds until a node that joins has read all and answers. */
    private double reading(Path work) throws IOException {
        FleetFile fleet = FleetFile.write(work.resolve("large.jsonl"), large, PER_GROUP);
        try (Etcd etcd = Etcd.start(place, place.folder("large-etcd"));
                Forewarn writer = start(etcd.location(), "large/", fleet)) {
            long began = System.nanoTime();
            try (Forewarn joining =
                    Forewarn.start(place, "", "--store", etcd.location(), "--set", "store.etcd.prefix=large/")) {
                if (!writer.isAlive() || !joining.isAlive()) {
                    throw new IllegalStateException("a node ended");
                }
                return (System.nanoTime() - began) / 1e9;
            }
        }
    }

    private Finding finding(Figures follower, Figures alone, Figures slowest, double reading) {
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
                                reading,
                                MOST_SECONDS,
                                " s")),
                "Three members of etcd and three nodes on one machine, so all six share its processors. 64 machines of 64 groups poll"
                        + " a follower and a single node in turn, "
                        + place.rounds(5) + " rounds of " + place.seconds(6)
                        + " s: " + follower.spread(" µs") + " of CPU per poll against " + alone.spread(" µs")
                        + "; what the follower does besides, its lease and its watch, is counted in. The way of a commit is"
                        + " measured from the writer's answer until the same machine has seen the event at all three nodes, one after the other: median "
                        + Row.number(slowest.median()) + " ms.");
    }
}
