package io.forewarn.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What a poll costs the server, and how long it takes, beside nginx with the same bytes in a file. */
final class PollCost {
    private static final int MACHINES = 100_000;
    private static final int PER_GROUP = 10;
    private static final int POLLERS = 64;

    /** Polls are measured with other versions, too; these get sections of their own. */
    private static final int USUAL_JAVA = 17;

    /** What one server showed over the rounds. */
    private static final class Shown {
        final Measurements micros = new Measurements();
        final Measurements p99 = new Measurements();
        final Measurements perSecond = new Measurements();
        final Measurements crowdMicros = new Measurements();
        final Measurements crowdP99 = new Measurements();
        final Measurements newMicros = new Measurements();
        final Measurements newP99 = new Measurements();
        final Measurements smallMicros = new Measurements();
        final Measurements smallP99 = new Measurements();
        final Measurements smallNewMicros = new Measurements();
    }

    private final BenchSetup setup;

    PollCost(BenchSetup setup) {
        this.setup = setup;
    }

    Finding measure() throws IOException {
        Shown ours = new Shown();
        Shown theirs = new Shown();
        Shown one = new Shown();
        Shown two = new Shown();
        smallFleet(ours, one, two);
        Path work = setup.folder("polls");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), MACHINES, PER_GROUP);
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                setup,
                "",
                "--fleet",
                fleet.file().toString(),
                "--store",
                ForewarnProcess.store(work.resolve("store")),
                "--set",
                "metadata.requests-per-second=0",
                "--set",
                "terms.user-operations=1000000")) {
            KeptAliveConnection.Answer document = announce(forewarnProcess);
            try (NginxProcess nginxProcess = NginxProcess.serving(setup, document)) {
                compare(forewarnProcess, nginxProcess, ours, theirs);
                return finding(ours, theirs, one, two, document);
            }
        }
    }

    /** One machine of each group that will poll has a restart ahead of it; so has the one wrk asks for. */
    private static KeptAliveConnection.Answer announce(ForewarnProcess forewarnProcess) throws IOException {
        for (int i = 0; i < POLLERS; i++) {
            poll(
                    forewarnProcess,
                    address(i)); // The first request enables the group: from now on work on it is announced.
        }
        forewarnProcess.restart(IntStream.range(0, POLLERS)
                .mapToObj(i -> FleetFile.machine(number(i)))
                .toList());
        return poll(forewarnProcess, address(0));
    }

    /** Spread over the whole fleet, each in a group of its own; the first is 127.0.0.1. */
    private static int number(int poller) {
        return poller * (MACHINES / POLLERS);
    }

    private static String address(int poller) {
        return FleetFile.address(number(poller));
    }

    private static KeptAliveConnection.Answer poll(ForewarnProcess forewarnProcess, String source) throws IOException {
        try (KeptAliveConnection connection = new KeptAliveConnection(source, forewarnProcess.port())) {
            return connection.ask(ForewarnProcess.POLL).expect(200);
        }
    }

    private void compare(ForewarnProcess forewarnProcess, NginxProcess nginxProcess, Shown ours, Shown theirs)
            throws IOException {
        int seconds = setup.seconds(6);
        try (MachineConnections ourLoad = new MachineConnections(forewarnProcess.port());
                MachineConnections theirLoad = new MachineConnections(nginxProcess.port())) {
            List<MachineConnections.Member> here = ourLoad.join(POLLERS, PollCost::address);
            List<MachineConnections.Member> there = theirLoad.join(POLLERS, PollCost::address);
            for (int warm = 0; warm < 2; warm++) {
                Shown ignored = new Shown();
                wrk(forewarnProcess, forewarnProcess.port(), seconds, ignored);
                load(forewarnProcess, ourLoad, here, seconds, ignored);
                wrk(nginxProcess, nginxProcess.port(), 1, ignored);
                connect(forewarnProcess, forewarnProcess.port(), seconds, ignored);
            }
            for (int round = 0; round < setup.rounds(5); round++) {
                wrk(forewarnProcess, forewarnProcess.port(), seconds, ours);
                wrk(nginxProcess, nginxProcess.port(), seconds, theirs);
                load(forewarnProcess, ourLoad, here, seconds, ours);
                load(nginxProcess, theirLoad, there, seconds, theirs);
                connect(forewarnProcess, forewarnProcess.port(), seconds, ours);
                connect(nginxProcess, nginxProcess.port(), seconds, theirs);
            }
        }
    }

    private static void wrk(ChildProcess server, int port, int seconds, Shown shown) throws IOException {
        double before = server.cpuMicros();
        Wrk run = Wrk.run(port, seconds);
        shown.micros.add((server.cpuMicros() - before) / run.requests());
        shown.p99.add(run.p99Millis());
        shown.perSecond.add(run.perSecond());
    }

    /** A new connection for each poll, as most handlers make it. */
    private static void connect(ChildProcess server, int port, int seconds, Shown shown) throws IOException {
        double before = server.cpuMicros();
        Wrk run = Wrk.run(port, seconds, "close");
        shown.newMicros.add((server.cpuMicros() - before) / run.requests());
        shown.newP99.add(run.p99Millis());
    }

    /** The demo fleet, whose documents are empty, compared with an nginx that checks the header, with one worker and with two. */
    private void smallFleet(Shown ours, Shown one, Shown two) throws IOException {
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                setup,
                "",
                "--profile",
                "test",
                "--store",
                ForewarnProcess.store(setup.folder("polls-small").resolve("store")),
                "--set",
                "metadata.requests-per-second=0")) {
            KeptAliveConnection.Answer document = poll(forewarnProcess, "127.0.0.1");
            try (NginxProcess alone = NginxProcess.checking(setup, document, 1);
                    NginxProcess pair = NginxProcess.checking(setup, document, 2)) {
                int seconds = setup.seconds(6);
                for (int round = -2; round < setup.rounds(5); round++) {
                    small(forewarnProcess, forewarnProcess.port(), seconds, round < 0 ? new Shown() : ours);
                    small(alone, alone.port(), seconds, round < 0 ? new Shown() : one);
                    small(pair, pair.port(), seconds, round < 0 ? new Shown() : two);
                }
            }
        }
    }

    private static void small(ChildProcess server, int port, int seconds, Shown shown) throws IOException {
        double before = server.cpuMicros();
        Wrk kept = Wrk.run(port, seconds);
        shown.smallMicros.add((server.cpuMicros() - before) / kept.requests());
        shown.smallP99.add(kept.p99Millis());
        before = server.cpuMicros();
        Wrk closed = Wrk.run(port, seconds, "close");
        shown.smallNewMicros.add((server.cpuMicros() - before) / closed.requests());
    }

    private static void load(
            ChildProcess server,
            MachineConnections machineConnections,
            List<MachineConnections.Member> members,
            int seconds,
            Shown shown)
            throws IOException {
        Measurements latencies = new Measurements();
        double before = server.cpuMicros();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        int[] under = {0};
        for (MachineConnections.Member member : members) {
            machineConnections.ask(member, ForewarnProcess.POLL);
            under[0]++;
        }
        double[] polls = {0};
        while (under[0] > 0) {
            machineConnections.listen(1000, (member, nanos) -> {
                if (member.status() != 200) {
                    throw new IllegalStateException("a poll was answered " + member.status());
                }
                polls[0]++;
                latencies.add(nanos / 1e6);
                if (System.nanoTime() < until) {
                    machineConnections.ask(member, ForewarnProcess.POLL);
                } else {
                    under[0]--;
                }
            });
        }
        shown.crowdMicros.add((server.cpuMicros() - before) / polls[0]);
        shown.crowdP99.add(latencies.quantile(0.99));
    }

    private static void small(List<ReportRow> rows, String workers, Shown ours, Shown nginx) {
        rows.add(ReportRow.atMost(
                "CPU per poll, the demo fleet, keep-alive connections",
                "≤ 0.9 × nginx with " + workers + " that checks the header",
                ours.smallMicros.median() / nginx.smallMicros.median(),
                0.9,
                " ×"));
        rows.add(ReportRow.atMost(
                "CPU per poll, the demo fleet, a new connection for each poll",
                "≤ 1.1 × nginx with " + workers,
                ours.smallNewMicros.median() / nginx.smallNewMicros.median(),
                1.1,
                " ×"));
        rows.add(ReportRow.atMost(
                "p99 of a poll of the demo fleet, keep-alive connections",
                "≤ 1.5 × nginx with " + workers,
                ours.smallP99.median() / nginx.smallP99.median(),
                1.5,
                " ×"));
    }

    private Finding finding(Shown ours, Shown theirs, Shown one, Shown two, KeptAliveConnection.Answer document) {
        List<ReportRow> rows = new ArrayList<>();
        rows.add(ReportRow.atMost(
                "CPU per poll, fleet of 100,000 machines in 10,000 groups, keep-alive connections",
                "≤ 0.9 × nginx serving the same bytes as a file",
                ours.micros.median() / theirs.micros.median(),
                0.9,
                " ×"));
        rows.add(ReportRow.atMost(
                "the same, polled by 64 machines of 64 groups, each from its own address",
                "≤ 0.9 × nginx",
                ours.crowdMicros.median() / theirs.crowdMicros.median(),
                0.9,
                " ×"));
        rows.add(ReportRow.atMost(
                "p99 of a poll under that load", "≤ 1.5 × nginx", ours.p99.median() / theirs.p99.median(), 1.5, " ×"));
        rows.add(ReportRow.atMost(
                "the same, polled by 64 machines of 64 groups",
                "≤ 1.5 × nginx",
                ours.crowdP99.median() / theirs.crowdP99.median(),
                1.5,
                " ×"));
        rows.add(ReportRow.atMost(
                "CPU per poll, a new connection for each poll",
                "≤ 1.1 × nginx",
                ours.newMicros.median() / theirs.newMicros.median(),
                1.1,
                " ×"));
        rows.add(ReportRow.atMost(
                "p99 of a poll over a new connection",
                "≤ 1.5 × nginx",
                ours.newP99.median() / theirs.newP99.median(),
                1.5,
                " ×"));
        small(rows, "one worker", ours, one);
        small(rows, "two workers", ours, two);
        String how = "The document has one event (" + document.body().length
                + " bytes). CPU per poll is the user and system time of all threads of the server's processes during a run,"
                + " divided by the number of answers. Two clients generate the load, one after the other: wrk (one thread, 64"
                + " keep-alive connections, all as the machine 127.0.0.1), then a client of our own (64 connections, each"
                + " from the loopback address of a machine of a different group). Each loads Forewarn and nginx alternately, "
                + setup.rounds(5) + " rounds of " + setup.seconds(6)
                + " s each after a warm-up. The table shows medians, with the lowest and highest round in parentheses. The"
                + " rate limit of 5 requests per second for each machine is off, because it would limit the load. nginx"
                + " checks no headers and does not identify clients. It runs one worker per processor, without an access"
                + " log, and keeps the file open; its Server and Date headers cannot be switched off. For new connections wrk sends"
                + " `Connection: close`, so that the server closes each connection after its answer. The demo fleet is polled in a"
                + " process of its own; its document is empty, and there nginx answers only requests that have the Metadata header.\n\n"
                + "| | Forewarn | nginx |\n|---|---|---|\n"
                + "| CPU per poll, wrk | " + ours.micros.spread(" µs") + " | " + theirs.micros.spread(" µs") + " |\n"
                + "| CPU per poll, 64 machines | " + ours.crowdMicros.spread(" µs") + " | "
                + theirs.crowdMicros.spread(" µs") + " |\n"
                + "| CPU per poll, new connections | " + ours.newMicros.spread(" µs") + " | "
                + theirs.newMicros.spread(" µs") + " |\n"
                + "| CPU per poll, demo fleet | " + ours.smallMicros.spread(" µs") + " | "
                + one.smallMicros.spread(" µs") + " with one worker, " + two.smallMicros.spread(" µs") + " with two |\n"
                + "| CPU per poll, demo fleet, new connections | " + ours.smallNewMicros.spread(" µs") + " | "
                + one.smallNewMicros.spread(" µs") + " with one worker, " + two.smallNewMicros.spread(" µs")
                + " with two |\n"
                + "| p99, wrk | " + ours.p99.spread(" ms") + " | " + theirs.p99.spread(" ms") + " |\n"
                + "| p99, 64 machines | " + ours.crowdP99.spread(" ms") + " | " + theirs.crowdP99.spread(" ms") + " |\n"
                + "| p99, new connections | " + ours.newP99.spread(" ms") + " | " + theirs.newP99.spread(" ms") + " |\n"
                + "| p99, demo fleet | " + ours.smallP99.spread(" ms") + " | " + one.smallP99.spread(" ms")
                + " with one worker, " + two.smallP99.spread(" ms") + " with two |\n"
                + "| polls per second, with wrk on the same processors | " + ours.perSecond.spread("") + " | "
                + theirs.perSecond.spread("") + " |";
        int java = Runtime.version().feature();
        return new Finding(java == USUAL_JAVA ? "Polls" : "Polls with Java " + java, rows, how);
    }
}
