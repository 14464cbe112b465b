package io.forewarn.acceptance.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.BoundConnection;
import io.forewarn.acceptance.faults.CallerThreads;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Ledger;
import io.forewarn.acceptance.faults.Operators;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/** Sixty-four callers at all nodes: operators who plan under keys, machines that poll and approve. */
final class ClusterCallers {
    private static final int OPERATORS = 20;
    private static final int MACHINES = 44;
    private static final int LONGEST_PAUSE_MICROS = 500_000;
    private static final int LONGEST_NOTICE_MILLIS = 4_000;

    private final Cluster cluster;
    private final ClusterLedger clusterLedger;
    private final List<Fleet.Machine> machines;
    private final long seed;
    private final Operators operators;
    private final CallerThreads callerThreads;
    private final List<NodeClient> contacts = new ArrayList<>();

    ClusterCallers(Cluster cluster, ClusterLedger clusterLedger, long seed) {
        this.cluster = cluster;
        this.clusterLedger = clusterLedger;
        this.machines = cluster.node(0).fleet().machines();
        this.seed = seed;
        this.operators = new Operators(
                clusterLedger.ledger(), machines, seed, LONGEST_NOTICE_MILLIS, clusterLedger::tryingToApprove);
        this.callerThreads = new CallerThreads(clusterLedger.ledger());
    }

    private interface Caller {
        void call(NodeClient nodeClient, Random random) throws IOException;
    }

    void start() {
        for (int i = 0; i < OPERATORS + MACHINES; i++) {
            Fleet.Machine machine = i < OPERATORS ? null : machines.get(i % machines.size());
            begin(
                    i,
                    machine,
                    i < OPERATORS ? this::operate : (nodeClient, random) -> behave(machine, nodeClient, random));
        }
    }

    private void begin(int number, Fleet.Machine machine, Caller caller) {
        Random random = new Random(seed * 97 + number);
        NodeClient nodeClient = new NodeClient(
                cluster, clusterLedger, machine == null ? null : machine.address(), number, NodeClient.HASTY_MILLIS);
        contacts.add(nodeClient);
        callerThreads.begin(number, random, LONGEST_PAUSE_MICROS, () -> called(caller, nodeClient, random));
    }

    private void called(Caller caller, NodeClient nodeClient, Random random) {
        try {
            caller.call(nodeClient, random);
        } catch (IOException unexpected) {
            // Some node is always there to go on to.
            clusterLedger.ledger().violated("a caller met " + unexpected);
        }
    }

    /** Returns when every caller has come to the end of what it was at. */
    void end() {
        callerThreads.end();
        contacts.forEach(NodeClient::close);
    }

    private void operate(NodeClient nodeClient, Random random) throws IOException {
        Ledger.Command command = operators.command(random);
        long sent = System.nanoTime();
        NodeClient.Told told = nodeClient.untilKnown("POST", command.path(), key(command), command.body());
        if (told == null || told.answer().status() != 200 && !told.first()) {
            // Refused here, it may yet be done by a copy that waits for the writer at another node.
            clusterLedger.nobodyAnswered();
            clusterLedger.ledger().lost(command);
        } else {
            operators.settle(told.answer(), command);
            promise(told.answer(), command, sent);
        }
        if (random.nextInt(8) == 0) {
            nodeClient.next();
        }
    }

    private static Map<String, String> key(Ledger.Command command) {
        return Map.of("Idempotency-Key", command.key());
    }

    private void promise(BoundConnection.Answer answer, Ledger.Command command, long sent) throws IOException {
        OptionalLong notice = command.noticeMillis();
        if (answer.status() == 200 && notice.isPresent()) {
            Operators.ids(answer).forEach(id -> clusterLedger.promised(id, sent, notice.getAsLong()));
        }
    }

    private void behave(Fleet.Machine machine, NodeClient nodeClient, Random random) throws IOException {
        int node = nodeClient.node();
        long floor = clusterLedger.floor(node, machine.group());
        try {
            BoundConnection.Answer answer =
                    nodeClient.once("GET", Server.POLL, Server.MACHINE, null).answer();
            if (answer.status() == 200) {
                clusterLedger.polled(node, machine.group(), floor, answer.body());
                for (JsonNode event : Server.json(answer).path("Events")) {
                    if (event.path("EventStatus").asText().equals("Scheduled") && random.nextInt(100) < 10) {
                        approve(nodeClient, event.path("EventId").asText());
                    }
                }
            } else if (answer.status() == 503) {
                nodeClient.next(); // It is starting, and says so.
            } else {
                clusterLedger.ledger().violated("a poll was answered " + answer.status() + " " + answer.body());
            }
            if (random.nextInt(8) == 0) {
                nodeClient.next();
            }
        } catch (IOException unanswered) {
            nodeClient.next();
        }
    }

    private void approve(NodeClient nodeClient, String event) throws IOException {
        clusterLedger.tryingToApprove(event);
        String body = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
        BoundConnection.Answer answer =
                nodeClient.once("POST", Server.POLL, Server.MACHINE, body).answer();
        if (answer.status() == 200) {
            clusterLedger.ledger().approved(event);
        } else if (answer.status() != 400 && answer.status() != 503) {
            clusterLedger.ledger().violated("an approval was answered " + answer.status() + " " + answer.body());
        }
    }

    /** Asks again what nobody answered, at two nodes: done at most once, and answered the same. Returns how many it was done for. */
    int repeatLost() throws IOException {
        int done = 0;
        try (NodeClient nodeClient = new NodeClient(cluster, clusterLedger, null, 0, NodeClient.PATIENT_MILLIS)) {
            for (Ledger.Command command : clusterLedger.ledger().takeLost()) {
                NodeClient.Told first = nodeClient.untilKnown("POST", command.path(), key(command), command.body());
                nodeClient.next();
                NodeClient.Told second = nodeClient.untilKnown("POST", command.path(), key(command), command.body());
                if (first == null || second == null) {
                    clusterLedger.ledger().violated(command + " is not answered although all nodes are well");
                    continue;
                }
                operators.settle(first.answer(), command);
                operators.settle(second.answer(), command);
                if (first.answer().status() == 200) {
                    done++;
                    if (second.answer().status() != 200
                            || !Operators.ids(second.answer()).equals(Operators.ids(first.answer()))) {
                        clusterLedger.ledger().violated(command + " was answered " + first + " and then " + second);
                    }
                } else if (second.answer().status() != 200) {
                    clusterLedger.ledger().refusedAfterLost(command);
                }
            }
        }
        return done;
    }
}
