package io.forewarn.bench;


import io.forewarn.core.engine.Commit;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.rules.Answer;
import io.forewarn.core.rules.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/** Durable approvals per second by 64 machines at a time, beside the same rows written to the same kind of store. */
final class Approvals {
    private static final int CLIENTS = 64;
    private static final int PER_GROUP = 2;

    /** An event, and the connection of the machine that will approve it. */
    private record Due(Crowd.Member member, byte[] request) {}

    private final Place place;
    private final int each;
    private final int rounds;

    Approvals(Place place) {
        this.place = place;
        this.each = place.quick() ? 8 : 40;
        this.rounds = place.rounds(5);
    }

    Finding measure() throws IOException, StoreException {
        int round = CLIENTS * each;
        int groups = round * (rounds + 1); // The first round warms up.
        Path work = place.folder("approvals");
        FleetFile fleet = FleetFile.write(work.resolve("fleet.jsonl"), groups * PER_GROUP, PER_GROUP);
        Deque<Commit> batches = new ArrayDeque<>();
        Deque<Commit> singles = new ArrayDeque<>();
        rehearse(fleet, batches, singles);
        Figures service = new Figures();
        Figures bareBatched = new Figures();
        Figures bareSingle = new Figures();
        try (Forewarn forewarn = Forewarn.start(
                        place,
                        "",
                        "--fleet", fleet.file().toString(),
                        "--store", Forewarn.store(work.resolve("store")),
                        "--profile", "test",
                        "--set", "terms.user-operations=1000000",
                        "--set", "metadata.idle=1h",
                        "--set", "impact.simulated.reboot=24h");
                Crowd crowd = new Crowd(forewarn.port());
                BareStore bare = new BareStore(work.resolve("bare"))) {
            List<Due> due = prepare(forewarn, crowd, groups);
            for (int i = 0; i <= rounds; i++) {
                double approved = approve(crowd, due.subList(i * round, (i + 1) * round));
                double batched = CLIENTS * write(bare, batches, each);
                double single = write(bare, singles, each * 4);
                if (i > 0) {
                    service.add(approved);
                    bareBatched.add(batched);
                    bareSingle.add(single);
                }
            }
        }
        return finding(service, bareBatched, bareSingle);
    }

    /** The rows: for each round 64 approvals to a commit, and one to a commit. */
    private void rehearse(FleetFile fleet, Deque<Commit> batches, Deque<Commit> singles) throws IOException, StoreException {
        Rehearsal rehearsal = new Rehearsal(fleet);
        List<Answer> scheduled = new ArrayList<>();
        int machines = fleet.machines();
        for (int m = 0; m < machines; m += PER_GROUP) {
            rehearsal.commits(List.of(Rehearsal.restart(m)), scheduled);
        }
        List<Command> waiting = new ArrayList<>();
        for (int m = 0; m < machines; m += PER_GROUP) {
            waiting.add(rehearsal.approve(fleet, m, scheduled.get(m / PER_GROUP)));
            if (waiting.size() == CLIENTS) {
                batches.addAll(rehearsal.commits(waiting, new ArrayList<>()));
                waiting.clear();
            }
        }
        for (int m = 1; m < machines && singles.size() < each * 4 * (rounds + 1); m += PER_GROUP) {
            rehearsal.commits(List.of(Rehearsal.restart(m)), scheduled);
            Answer last = scheduled.get(scheduled.size() - 1);
            singles.addAll(rehearsal.commits(List.of(rehearsal.approve(fleet, m, last)), new ArrayList<>()));
        }
    }

    private static double write(BareStore bare, Deque<Commit> rows, int commits) throws StoreException {
        long nanos = 0;
        for (int i = 0; i < commits; i++) {
            nanos += bare.commit(rows.removeFirst());
        }
        return commits / (nanos / 1e9);
    }

    private static List<Due> prepare(Forewarn forewarn, Crowd crowd, int groups) throws IOException {
        List<Integer> machines = IntStream.range(0, groups).map(g -> g * PER_GROUP).boxed().toList();
        List<String> events = forewarn.restart(machines.stream().map(FleetFile::machine).toList());
        List<Due> due = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            String body = "{\"StartRequests\":[{\"EventId\":\"" + events.get(i) + "\"}]}";
            byte[] request = Line.request("POST", Forewarn.EVENTS, Forewarn.METADATA, body);
            due.add(new Due(crowd.join(FleetFile.address(machines.get(i))), request));
        }
        return due;
    }

    /** 64 at a time: when one is answered, the next machine begins. Returns how many a second. */
    private static double approve(Crowd crowd, List<Due> due) throws IOException {
        Deque<Due> rest = new ArrayDeque<>(due);
        long began = System.nanoTime();
        for (int i = 0; i < CLIENTS; i++) {
            next(crowd, rest);
        }
        int answered = 0;
        while (answered < due.size()) {
            answered += crowd.listen(1000, (member, nanos) -> {
                if (member.status() != 200) {
                    throw new IllegalStateException("an approval was answered " + member.status());
                }
                next(crowd, rest);
            });
        }
        return due.size() / ((System.nanoTime() - began) / 1e9);
    }

    private static void next(Crowd crowd, Deque<Due> rest) throws IOException {
        Due next = rest.poll();
        if (next != null) {
            crowd.ask(next.member, next.request);
        }
    }

    private Finding finding(Figures service, Figures batched, Figures single) {
        return new Finding(
                "Approvals",
                List.of(
                        Row.atLeast(
                                "durable approvals per second, 64 clients",
                                "≥ 0.5 × a bare loop writing the same rows to the same store, 64 to a commit",
                                service.median() / batched.median(),
                                0.5,
                                " ×"),
                        Row.plain(
                                "the same against one-at-a-time commits",
                                Row.number(service.median() / single.median()) + " ×")),
                String.format("%,d", CLIENTS * each) + " approvals in each of " + rounds
                        + " rounds after one to warm up. Every approval is of another group's restart and comes from a machine of"
                        + " that group on its own connection, opened before; 64 are under way at a time. Between the"
                        + " rounds the rows that the writer makes of such approvals are written to a second SQLite store on the same"
                        + " disk by a loop that does nothing else: 64 approvals to a commit, and one to a commit.\n\n"
                        + "| | approvals per second |\n|---|---|\n| Forewarn | " + service.spread("")
                        + " |\n| bare loop, 64 to a commit | " + batched.spread("")
                        + " |\n| bare loop, one to a commit | " + single.spread("") + " |");
    }
}
