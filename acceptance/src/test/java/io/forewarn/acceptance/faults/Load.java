package io.forewarn.acceptance.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Operators who plan and machines that poll and approve, all at once, until the server is gone. */
final class Load {
    private static final int OPERATORS = 3;
    private static final int MACHINES = 4;
    private static final int LONGEST_PAUSE_MICROS = 4_000;
    private static final int LONGEST_NOTICE_MILLIS = 3_000;

    private final Server server;
    private final Ledger ledger;
    private final long seed;
    private final Map<String, String> token;
    private final Operators operators;
    private final CallerThreads callerThreads;

    Load(Server server, Ledger ledger, long seed) throws IOException {
        this.server = server;
        this.ledger = ledger;
        this.seed = seed;
        this.token = server.token();
        this.operators =
                new Operators(ledger, server.fleet().machines(), seed, LONGEST_NOTICE_MILLIS, ledger::tryingToApprove);
        this.callerThreads = new CallerThreads(ledger);
    }

    private interface Caller {
        void call(Random random) throws IOException;
    }

    void start() {
        for (int i = 0; i < OPERATORS; i++) {
            BoundConnection connection = server.operator();
            begin(i, random -> operate(connection, random));
        }
        for (int i = 0; i < MACHINES; i++) {
            Map<String, BoundConnection> lines = new HashMap<>();
            begin(OPERATORS + i, random -> behaveAsMachine(lines, random));
        }
    }

    private void begin(int number, Caller caller) {
        Random random = new Random(seed * 31 + number);
        callerThreads.begin(number, random, LONGEST_PAUSE_MICROS, () -> caller.call(random));
    }

    /** Returns when every caller has noticed. */
    void end() {
        callerThreads.end();
    }

    private void operate(BoundConnection connection, Random random) throws IOException {
        Ledger.Command command = operators.command(random);
        try {
            operators.settle(connection.ask("POST", command.path(), headers(command), command.body()), command);
        } catch (IOException unanswered) {
            ledger.lost(command);
            throw unanswered;
        }
    }

    private Map<String, String> headers(Ledger.Command command) {
        Map<String, String> headers = new HashMap<>(token);
        headers.put("Idempotency-Key", command.key());
        return headers;
    }

    private void behaveAsMachine(Map<String, BoundConnection> lines, Random random) throws IOException {
        List<Fleet.Machine> machines = server.fleet().machines();
        Fleet.Machine machine = machines.get(random.nextInt(machines.size()));
        BoundConnection connection = lines.computeIfAbsent(machine.address(), server::machine);
        long floor = ledger.floor(machine.group());
        BoundConnection.Answer answer = connection.ask("GET", Server.POLL, Server.MACHINE, null);
        if (answer.status() != 200) {
            ledger.violated("a poll was answered " + answer.status() + " " + answer.body());
            return;
        }
        JsonNode document = Server.json(answer);
        ledger.polled(machine.group(), floor, answer.body(), document);
        for (JsonNode event : document.path("Events")) {
            if (event.path("EventStatus").asText().equals("Scheduled") && random.nextInt(100) < 20) {
                approve(connection, event.path("EventId").asText());
            }
        }
    }

    private void approve(BoundConnection connection, String event) throws IOException {
        ledger.tryingToApprove(event);
        String body = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
        BoundConnection.Answer answer = connection.ask("POST", Server.POLL, Server.MACHINE, body);
        if (answer.status() == 200) {
            ledger.approved(event);
        } else if (answer.status() != 400) {
            ledger.violated("an approval was answered " + answer.status() + " " + answer.body());
        }
    }

    /** Asks again what nobody answered, twice: done at most once, and answered the same. Returns how many it was done for. */
    int repeatLost() throws IOException {
        int done = 0;
        try (BoundConnection connection = server.operator()) {
            for (Ledger.Command command : ledger.takeLost()) {
                BoundConnection.Answer first = connection.ask("POST", command.path(), headers(command), command.body());
                operators.settle(first, command);
                if (first.status() == 200) {
                    done++;
                    BoundConnection.Answer second =
                            connection.ask("POST", command.path(), headers(command), command.body());
                    if (second.status() != 200 || !Operators.ids(second).equals(Operators.ids(first))) {
                        ledger.violated(command + " was answered " + first + " and then " + second);
                    }
                }
            }
        }
        return done;
    }
}
