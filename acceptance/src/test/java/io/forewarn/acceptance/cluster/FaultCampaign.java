package io.forewarn.acceptance.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.BoundConnection;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Ledger;
import io.forewarn.acceptance.faults.LedgerCheck;
import io.forewarn.acceptance.faults.Server;
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
final class FaultCampaign {
    private static final String HISTORY = "/v1/history?limit=10000000&order=oldest";
    private static final Fleet FLEET = new Fleet(12, 5);

    private final Path folder;
    private final Random random;
    private final long seed;
    private final ClusterLedger clusterLedger;
    private final Ledger ledger;
    private final Driver driver;
    private final Map<ClusterFault, Integer> struck = new EnumMap<>(ClusterFault.class);
    private final List<String> missed = new ArrayList<>();
    private final List<WriterVacancy> vacancies = new ArrayList<>();

    FaultCampaign(Path folder, long seed) throws IOException {
        this.clusterLedger = new ClusterLedger(folder.resolve("history"));
        this.ledger = clusterLedger.ledger();
        this.driver = new Driver(folder.resolve("driver"));
        this.folder = folder;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** @param faults one round each; those that cannot be done here are left out */
    FaultTotals run(List<ClusterFault> faults) throws Exception {
        try (Cluster cluster = Cluster.start(folder, FLEET, node -> driver.drives(node.hurried()))) {
            int writer = cluster.awaitWriter();
            pollAll(cluster.node(writer), writer); // From now on every group gets notice.
            int round = 0;
            for (ClusterFault clusterFault : faults) {
                if (clusterFault.possible(cluster) && ledger.violations().isEmpty()) {
                    round(cluster, clusterFault, seed * 1000 + round++);
                }
            }
            LedgerCheck last = end(cluster);
            Driver.Heard heard = driver.heard();
            heard.judgeTheEnd(ledger, last);
            return new FaultTotals(
                    struck,
                    missed,
                    millis(writerVacancy -> !writerVacancy.wasHandedOver() && !writerVacancy.wasShort()),
                    millis(WriterVacancy::wasHandedOver),
                    vacancies.stream()
                            .filter(WriterVacancy::wasLong)
                            .map(writerVacancy -> "seed " + seed + ": " + writerVacancy)
                            .toList(),
                    ledger.acknowledged(),
                    ledger.polls(),
                    clusterLedger.unanswered(),
                    ledger.late(),
                    last.events(),
                    last.count(Transition.STARTED_BY_TIME),
                    last.count(Transition.STARTED_BY_APPROVAL),
                    heard.count("did"),
                    heard.count("too-late"),
                    ledger.violations());
        }
    }

    private List<Long> millis(Predicate<WriterVacancy> which) {
        return vacancies.stream().filter(which).map(WriterVacancy::millis).toList();
    }

    private void round(Cluster cluster, ClusterFault clusterFault, long roundSeed) throws Exception {
        ClusterCallers clusterCallers = new ClusterCallers(cluster, clusterLedger, roundSeed);
        FaultInjection faultInjection = new FaultInjection(cluster, random);
        clusterCallers.start();
        try {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300 + random.nextInt(1_500)));
            clusterLedger.note(clusterFault + " begins");
            clusterFault.strike(faultInjection);
            clusterLedger.note(clusterFault + " is over: " + faultInjection.proofs());
            struck.merge(clusterFault, 1, Integer::sum);
            cluster.awaitWriter();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1_000)));
        } catch (FaultInjection.Missed nothing) {
            clusterLedger.note(clusterFault + " did not strike: " + nothing.getMessage());
            missed.add("round " + roundSeed + ": " + clusterFault.words() + " did not strike; " + nothing.getMessage());
        } catch (AssertionError stuck) {
            ledger.violated("after " + clusterFault + " in round " + roundSeed + ": " + stuck.getMessage());
        } finally {
            clusterCallers.end();
            vacancies.addAll(faultInjection.vacancies());
            faultInjection.vacancies().forEach(writerVacancy -> clusterLedger.note(writerVacancy.toString()));
        }
        clusterCallers.repeatLost();
        agree(cluster);
        Driver.Heard heard = driver.heard();
        LedgerCheck ledgerCheck =
                new LedgerCheck(ledger, cluster.node(cluster.awaitWriter()).get(HISTORY));
        ledgerCheck.judge();
        heard.judge(clusterLedger, ledgerCheck);
    }

    private void pollAll(Server node, int number) throws IOException {
        for (Fleet.Machine machine : FLEET.leaders()) {
            long floor = clusterLedger.floor(number, machine.group());
            BoundConnection.Answer answer = node.poll(machine.address());
            clusterLedger.polled(number, machine.group(), floor, answer.body());
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
    private LedgerCheck end(Cluster cluster) throws IOException {
        Server node = cluster.node(cluster.awaitWriter());
        try {
            Server.await(
                    "every event is over",
                    () -> new LedgerCheck(ledger, node.get(HISTORY)).open().isEmpty());
        } catch (AssertionError stuck) {
            LedgerCheck ledgerCheck = new LedgerCheck(ledger, node.get(HISTORY));
            ledgerCheck
                    .open()
                    .forEach(id ->
                            ledger.violated("event " + id + " does not come to its end: " + ledgerCheck.life(id)));
        }
        agree(cluster);
        JsonNode told = node.get(HISTORY);
        LedgerCheck last = new LedgerCheck(ledger, told);
        last.judge();
        for (Server other : cluster.nodes()) {
            if (!other.get(HISTORY).equals(told)) {
                ledger.violated(other.control() + " tells another history than " + node.control());
            }
            boots(other, last);
        }
        return last;
    }

    private void boots(Server node, LedgerCheck ledgerCheck) throws IOException {
        Map<String, Integer> expected = ledgerCheck.boots();
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
