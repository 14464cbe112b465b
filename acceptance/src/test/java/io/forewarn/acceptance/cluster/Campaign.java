package io.forewarn.acceptance.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Ledger;
import io.forewarn.acceptance.faults.Line;
import io.forewarn.acceptance.faults.Server;
import io.forewarn.acceptance.faults.Verdict;
import io.forewarn.core.event.Transition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** One cluster, and under load one fault after the other; after each, what the nodes say is held against what callers were told. */
final class Campaign {
    private static final String HISTORY = "/v1/history?limit=10000000&order=oldest";
    private static final Fleet FLEET = new Fleet(12, 5);

    private final Path folder;
    private final Random random;
    private final long seed;
    private final History history;
    private final Ledger ledger;
    private final Driver driver;
    private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    private final List<String> missed = new ArrayList<>();
    private final List<Vacancy> vacancies = new ArrayList<>();

    Campaign(Path folder, long seed) throws IOException {
        this.history = new History(folder.resolve("history"));
        this.ledger = history.ledger();
        this.driver = new Driver(folder.resolve("driver"));
        this.folder = folder;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** @param faults one round each; those that cannot be done here are left out */
    Tally run(List<Fault> faults) throws Exception {
        try (Cluster cluster = Cluster.start(folder, FLEET, node -> driver.drives(node.hurried()))) {
            int writer = cluster.awaitWriter();
            pollAll(cluster.node(writer), writer); // From now on every group gets notice.
            int round = 0;
            for (Fault fault : faults) {
                if (fault.possible(cluster) && ledger.violations().isEmpty()) {
                    round(cluster, fault, seed * 1000 + round++);
                }
            }
            Verdict last = end(cluster);
            Driver.Heard heard = driver.heard();
            heard.judgeTheEnd(ledger, last);
            return new Tally(
                    struck,
                    missed,
                    millis(vacancy -> !vacancy.wasHandedOver() && !vacancy.wasShort()),
                    millis(Vacancy::wasHandedOver),
                    vacancies.stream()
                            .filter(Vacancy::wasLong)
                            .map(vacancy -> "seed " + seed + ": " + vacancy)
                            .toList(),
                    ledger.acknowledged(),
                    ledger.polls(),
                    history.unanswered(),
                    ledger.late(),
                    last.events(),
                    last.count(Transition.STARTED_BY_TIME),
                    last.count(Transition.STARTED_BY_APPROVAL),
                    heard.count("did"),
                    heard.count("too-late"),
                    ledger.violations());
        }
    }

    private List<Long> millis(Predicate<Vacancy> which) {
        return vacancies.stream().filter(which).map(Vacancy::millis).toList();
    }

    private void round(Cluster cluster, Fault fault, long roundSeed) throws Exception {
        Crowd crowd = new Crowd(cluster, history, roundSeed);
        Strike strike = new Strike(cluster, random);
        crowd.start();
        try {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300 + random.nextInt(1_500)));
            history.note(fault + " begins");
            fault.strike(strike);
            history.note(fault + " is over: " + strike.proofs());
            struck.merge(fault, 1, Integer::sum);
            cluster.awaitWriter();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1_000)));
        } catch (Strike.Missed nothing) {
            history.note(fault + " did not strike: " + nothing.getMessage());
            missed.add("round " + roundSeed + ": " + fault.words() + " did not strike; " + nothing.getMessage());
        } catch (AssertionError stuck) {
            ledger.violated("after " + fault + " in round " + roundSeed + ": " + stuck.getMessage());
        } finally {
            crowd.end();
            vacancies.addAll(strike.vacancies());
            strike.vacancies().forEach(vacancy -> history.note(vacancy.toString()));
        }
        crowd.repeatLost();
        agree(cluster);
        Driver.Heard heard = driver.heard();
        Verdict verdict =
                new Verdict(ledger, cluster.node(cluster.awaitWriter()).get(HISTORY));
        verdict.judge();
        heard.judge(history, verdict);
    }

    private void pollAll(Server node, int number) throws IOException {
        for (Fleet.Machine machine : FLEET.leaders()) {
            long floor = history.floor(number, machine.group());
            Line.Answer answer = node.poll(machine.address());
            history.polled(number, machine.group(), floor, answer.body());
        }
    }

    /** Every node comes to show the same. */
    private void agree(Cluster cluster) throws IOException {
        for (Fleet.Machine machine : FLEET.leaders()) {
            try {
                Server.await("all nodes show the same to " + machine.group(), () -> {
                    long different = cluster.nodes().stream()
                            .map(node -> shown(node, machine))
                            .distinct()
                            .count();
                    return different == 1;
                });
            } catch (AssertionError apart) {
                ledger.violated(apart.getMessage() + ": "
                        + cluster.nodes().stream()
                                .map(node -> shown(node, machine))
                                .toList());
            }
        }
    }

    private static String shown(Server node, Fleet.Machine machine) {
        try {
            return node.poll(machine.address()).body();
        } catch (IOException unanswered) {
            return node.metadata() + ": " + unanswered;
        }
    }

    /** Nothing is forgotten: with nobody left to ask for anything every event comes to its end, and all nodes tell the same of it. */
    private Verdict end(Cluster cluster) throws IOException {
        Server node = cluster.node(cluster.awaitWriter());
        try {
            Server.await(
                    "every event is over",
                    () -> new Verdict(ledger, node.get(HISTORY)).open().isEmpty());
        } catch (AssertionError stuck) {
            Verdict verdict = new Verdict(ledger, node.get(HISTORY));
            verdict.open()
                    .forEach(id -> ledger.violated("event " + id + " does not come to its end: " + verdict.life(id)));
        }
        agree(cluster);
        JsonNode told = node.get(HISTORY);
        Verdict last = new Verdict(ledger, told);
        last.judge();
        for (Server other : cluster.nodes()) {
            if (!other.get(HISTORY).equals(told)) {
                ledger.violated(other.control() + " tells another history than " + node.control());
            }
            boots(other, last);
        }
        return last;
    }

    private void boots(Server node, Verdict verdict) throws IOException {
        Map<String, Integer> expected = verdict.boots();
        for (JsonNode machine : node.get("/v1/machines").path("machines")) {
            String name = machine.path("name").asText();
            int boots = machine.path("boots").asInt();
            if (boots != expected.getOrDefault(name, 0)) {
                ledger.violated(node.control() + " says that " + name + " booted " + boots
                        + " times; its history tells of " + expected.getOrDefault(name, 0));
            }
        }
    }
}
