package io.forewarn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.store.etcd.EtcdStore;
import io.forewarn.store.sqlite.SqliteStore;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/** Durable approvals per second by 64 machines at a time, beside the same rows written to the same kind of store. */
final class Approvals {
    private static final int CLIENTS = 64;
    private static final int PER_GROUP = 2;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final byte[] LATER = "{\"by\":\"10m\"}".getBytes(UTF_8);

    /** An event, and the connection of the machine that will approve it. */
    private record Due(MachineConnections.Member member, byte[] request) {}

    /** What the rounds showed. */
    private static final class Shown {
        final Measurements service = new Measurements();
        final Measurements cpu = new Measurements();
        final Measurements client = new Measurements();
        final Measurements carried = new Measurements();
        final Measurements batched = new Measurements();
        final Measurements single = new Measurements();
        final Measurements toBatched = new Measurements();
        final Measurements toSingle = new Measurements();
    }

    private final BenchSetup setup;
    private final boolean onEtcd;
    private final int each;
    private final int warm;
    private final int rounds;
    private final int singles;

    Approvals(BenchSetup setup) {
        this(setup, false);
    }

    /** The same on three members of etcd. */
    static Approvals onEtcd(BenchSetup setup) {
        return new Approvals(setup, true);
    }

    private Approvals(BenchSetup setup, boolean onEtcd) {
        this.setup = setup;
        this.onEtcd = onEtcd;
        this.each = 20;
        this.warm = setup.quick() ? 2 : onEtcd ? 40 : 80;
        this.rounds = setup.rounds(25);
        this.singles = onEtcd ? CLIENTS * each : 5 * each;
    }

    /** The rows approvals come to, and what the store holds before. */
    private record Rows(SortedMap<String, byte[]> before, List<Commit> batches, List<Commit> singles) {}

    /** Writes approvals one to a transaction; returns how many a second. */
    private interface Singles {
        double write(List<Commit> rows) throws Exception;
    }

    Finding measure() throws Exception {
        Path work = setup.folder(onEtcd ? "approvals-etcd" : "approvals");
        if (!onEtcd) {
            try (BareStore bare = new BareStore(SqliteStore.open(work.resolve("bare")))) {
                return measure(
                        work,
                        ForewarnProcess.store(work.resolve("store")),
                        bare,
                        rows -> write(bare, rows, rows.size()));
            }
        }
        try (EtcdProcesses etcdProcesses = EtcdProcesses.start(setup, setup.folder("approvals-members"));
                BareStore bare = new BareStore(EtcdStore.open(etcdProcesses.access("bare/")));
                BareEtcd lone = new BareEtcd(etcdProcesses.first(), "lone/", CLIENTS)) {
            return measure(work, etcdProcesses.location(), bare, lone::write);
        }
    }

    private Finding measure(Path work, String location, BareStore bare, Singles lone) throws Exception {
        int groups = CLIENTS * each;
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), groups * PER_GROUP, PER_GROUP);
        Rows rows = rehearse(fleet, bare.limits());
        Shown shown = new Shown();
        try (ForewarnProcess forewarnProcess = ForewarnProcess.start(
                        setup,
                        "",
                        "--fleet",
                        fleet.file().toString(),
                        "--store",
                        location,
                        "--profile",
                        "test",
                        "--clock",
                        "manual",
                        "--set",
                        "terms.user-operations=1000000",
                        "--set",
                        "metadata.idle-timeout=1h");
                MachineConnections machineConnections = new MachineConnections(forewarnProcess.port())) {
            bare.fill(rows.before);
            List<MachineConnections.Member> members =
                    machineConnections.join(groups, g -> FleetFile.address(g * PER_GROUP));
            for (int round = 0; round < warm + rounds; round++) {
                List<Due> due = prepare(forewarnProcess, members);
                double before = forewarnProcess.metric("forewarn_commit_seconds_count");
                double cpuBefore = forewarnProcess.cpuMicros();
                long clientBefore = THREADS.getCurrentThreadCpuTime();
                double approved = approve(machineConnections, due);
                double clientUsed = (THREADS.getCurrentThreadCpuTime() - clientBefore) / 1e3 / groups;
                double cpuUsed = (forewarnProcess.cpuMicros() - cpuBefore) / groups;
                double commits = forewarnProcess.metric("forewarn_commit_seconds_count") - before;
                double fullCommits = write(bare, rows.batches, groups);
                double singleCommits = lone.write(rows.singles);
                if (round >= warm) {
                    shown.service.add(approved);
                    shown.cpu.add(cpuUsed);
                    shown.client.add(clientUsed);
                    shown.carried.add(groups / commits);
                    shown.batched.add(fullCommits);
                    shown.single.add(singleCommits);
                    shown.toBatched.add(approved / fullCommits);
                    shown.toSingle.add(approved / singleCommits);
                }
                forewarnProcess.control(Route.CLOCK_ADVANCE, List.of(), LATER).expect(200); // All restarts end.
            }
        }
        return finding(shown);
    }

    private Rows rehearse(FleetFile fleet, Store.Limits limits) throws IOException, StoreException {
        CapturedCommits capturedCommits = new CapturedCommits(fleet, limits);
        List<CommandResult> scheduled = new ArrayList<>();
        for (int m = 0; m < fleet.machines(); m++) {
            capturedCommits.commits(List.of(CapturedCommits.restart(m)), scheduled);
        }
        SortedMap<String, byte[]> before = capturedCommits.rows();
        List<Commit> batches = new ArrayList<>();
        List<Commit> lone = new ArrayList<>();
        List<Command> waiting = new ArrayList<>();
        for (int m = 0; m < fleet.machines(); m += PER_GROUP) {
            waiting.add(capturedCommits.approve(fleet, m, scheduled.get(m)));
            if (waiting.size() == CLIENTS) {
                batches.addAll(capturedCommits.commits(waiting, new ArrayList<>()));
                waiting.clear();
            }
        }
        for (int m = 1; m < PER_GROUP * singles; m += PER_GROUP) {
            lone.addAll(capturedCommits.commits(
                    List.of(capturedCommits.approve(fleet, m, scheduled.get(m))), new ArrayList<>()));
        }
        return new Rows(before, batches, lone);
    }

    /** Approvals per second. */
    private static double write(BareStore bare, List<Commit> rows, int approvals) throws StoreException {
        long nanos = 0;
        for (Commit commit : rows) {
            nanos += bare.commit(commit);
        }
        return approvals / (nanos / 1e9);
    }

    private static List<Due> prepare(ForewarnProcess forewarnProcess, List<MachineConnections.Member> members)
            throws IOException {
        List<String> machines = IntStream.range(0, members.size())
                .mapToObj(g -> FleetFile.machine(g * PER_GROUP))
                .toList();
        List<String> events = forewarnProcess.restart(machines);
        List<Due> due = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            String body = "{\"StartRequests\":[{\"EventId\":\"" + events.get(i) + "\"}]}";
            due.add(new Due(
                    members.get(i),
                    KeptAliveConnection.request("POST", ForewarnProcess.EVENTS, ForewarnProcess.METADATA, body)));
        }
        return due;
    }

    /** 64 at a time: when one is answered, the next machine begins. Returns how many a second. */
    private static double approve(MachineConnections machineConnections, List<Due> due) throws IOException {
        Deque<Due> rest = new ArrayDeque<>(due);
        long began = System.nanoTime();
        for (int i = 0; i < CLIENTS; i++) {
            next(machineConnections, rest);
        }
        int answered = 0;
        while (answered < due.size()) {
            answered += machineConnections.listen(1000, (member, nanos) -> {
                if (member.status() != 200) {
                    throw new IllegalStateException("an approval was answered " + member.status());
                }
                next(machineConnections, rest);
            });
        }
        return due.size() / ((System.nanoTime() - began) / 1e9);
    }

    private static void next(MachineConnections machineConnections, Deque<Due> rest) throws IOException {
        Due next = rest.poll();
        if (next != null) {
            machineConnections.ask(next.member, next.request);
        }
    }

    private Finding finding(Shown shown) {
        return onEtcd ? etcdFinding(shown) : fileFinding(shown);
    }

    private Finding fileFinding(Shown shown) {
        return new Finding(
                "Approvals",
                List.of(
                        ReportRow.atLeast(
                                "durable approvals per second, 64 clients",
                                "≥ 0.5 × a bare loop that writes the same rows to the same kind of store, 64 approvals per commit",
                                shown.toBatched.median(),
                                0.5,
                                " ×"),
                        ReportRow.plain(
                                "the same, compared with a bare loop with one approval per commit",
                                ReportRow.number(shown.toSingle.median()) + " ×")),
                how(shown)
                        + " Between the rounds, a bare loop, which does nothing else, writes the rows of such approvals to a second"
                        + " SQLite store on the same disk: 64 approvals per commit, and one per commit."
                        + costs(shown, "bare loop, 64 per commit", "bare loop, one per commit"));
    }

    private Finding etcdFinding(Shown shown) {
        return new Finding(
                "Approvals on three etcd members",
                List.of(
                        ReportRow.atLeast(
                                "durable approvals per second, 64 clients, on etcd",
                                "≥ 0.5 × bare transactions, each with the rows of one approval, 64 at a time, through the same etcd client",
                                shown.toSingle.median(),
                                0.5,
                                " ×"),
                        ReportRow.atLeast(
                                "the same, compared with a bare loop that writes the largest transactions that etcd accepts",
                                "≥ 0.7 ×",
                                shown.toBatched.median(),
                                0.7,
                                " ×")),
                how(shown)
                        + " Between the rounds, a bare loop, which does nothing else, writes the rows of such approvals to other"
                        + " keys of the same etcd cluster through the same client. First it puts as many approvals into each"
                        + " transaction as etcd accepts (127 operations) and writes one transaction after the other, all conditional"
                        + " on one key, as the service does. Then it writes one approval per transaction, with 64 transactions in"
                        + " flight at a time, each conditional on its own key, so that none waits for another."
                        + costs(
                                shown,
                                "bare loop, largest transactions that etcd accepts",
                                "bare transactions, 64 at a time"));
    }

    private String how(Shown shown) {
        return String.format("%,d", CLIENTS * each) + " approvals are sent in each of " + rounds
                + " rounds after " + warm
                + " warm-up rounds (the JIT compiler needs up to a hundred thousand approvals). Each approval is for a restart"
                + " in a different group and comes from a machine of that group, on its own connection, which was opened"
                + " beforehand; 64 approvals are in flight at a time. Some of them arrive while a commit is being written,"
                + " so a commit contained a median of "
                + ReportRow.number(shown.carried.median()) + " approvals.";
    }

    private static String costs(Shown shown, String batched, String single) {
        return " The ratio is the median of the rounds. An approval costs the service " + shown.cpu.spread(" µs")
                + " of CPU, and the client " + shown.client.spread(" µs")
                + " on the same processors. The bare loop has no client and no network.\n\n| | approvals per second |\n|---|---|\n| Forewarn | "
                + shown.service.spread("")
                + " |\n| " + batched + " | " + shown.batched.spread("")
                + " |\n| " + single + " | " + shown.single.spread("") + " |";
    }
}
