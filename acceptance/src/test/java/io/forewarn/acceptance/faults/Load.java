package io.forewarn.acceptance.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Operators who plan and machines that poll and approve, all at once, until the server is gone. */
final class Load {
    private static final int OPERATORS = 3;
    private static final int MACHINES = 4;
    /** Few pauses: they are never refused but wait their turn, one update domain after the other. */
    private static final List<String> ACTIONS = List.of(
            "restart",
            "restart",
            "restart",
            "restart",
            "restart",
            "redeploy",
            "redeploy",
            "redeploy",
            "fail",
            "fail",
            "freeze");

    private final Server server;
    private final Ledger ledger;
    private final long seed;
    private final Map<String, String> token;
    private final List<Thread> callers = new ArrayList<>();
    private volatile boolean over;

    Load(Server server, Ledger ledger, long seed) throws IOException {
        this.server = server;
        this.ledger = ledger;
        this.seed = seed;
        this.token = server.token();
    }

    private interface Caller {
        void call(Random random) throws IOException;
    }

    void start() {
        for (int i = 0; i < OPERATORS; i++) {
            Line line = server.operator();
            begin(i, random -> operate(line, random));
        }
        for (int i = 0; i < MACHINES; i++) {
            Map<String, Line> lines = new HashMap<>();
            begin(OPERATORS + i, random -> behaveAsMachine(lines, random));
        }
    }

    private void begin(int number, Caller caller) {
        Random random = new Random(seed * 31 + number);
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!over) {
                            caller.call(random);
                            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(4000)));
                        }
                    } catch (IOException dead) {
                        // The server was killed under this caller.
                    } catch (RuntimeException | Error unexpected) {
                        ledger.violated("a caller met " + unexpected);
                    }
                },
                "caller-" + number);
        callers.add(thread);
        thread.start();
    }

    /** Returns when every caller has noticed. */
    void end() {
        over = true;
        for (Thread caller : callers) {
            try {
                caller.join(TimeUnit.SECONDS.toMillis(40));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void operate(Line line, Random random) throws IOException {
        Ledger.Command command = command(random);
        try {
            settle(line.ask("POST", command.path(), headers(command), command.body()), command);
        } catch (IOException unanswered) {
            ledger.lost(command);
            throw unanswered;
        }
    }

    private Ledger.Command command(Random random) {
        String key = Long.toHexString(seed) + "-" + Long.toHexString(random.nextLong());
        List<String> known = ledger.known();
        int dice = random.nextInt(100);
        if (dice < 75 || known.isEmpty()) {
            List<Fleet.Machine> machines = server.fleet().machines();
            String machine = machines.get(random.nextInt(machines.size())).name();
            String action = ACTIONS.get(random.nextInt(ACTIONS.size()));
            String notice = action.equals("fail") ? "" : ",\"notice\":\"" + (1000 + random.nextInt(2000)) + "ms\"";
            String body = "{\"description\":\"" + key + "\"" + notice + "}";
            return new Ledger.Command(key, "/v1/machines/" + machine + "/" + action, body);
        }
        String event = known.get(random.nextInt(known.size()));
        if (dice < 90) {
            return new Ledger.Command(key, "/v1/events/" + event + "/cancel", "");
        }
        ledger.tryingToApprove(event);
        return new Ledger.Command(key, "/v1/events/" + event + "/approve", "");
    }

    private Map<String, String> headers(Ledger.Command command) {
        Map<String, String> headers = new HashMap<>(token);
        headers.put("Idempotency-Key", command.key());
        return headers;
    }

    private void settle(Line.Answer answer, Ledger.Command command) throws IOException {
        if (answer.status() == 200) {
            ledger.acknowledged(command, ids(answer));
        } else if (answer.status() != 409 && answer.status() != 404 && answer.status() != 429) {
            ledger.violated(command + " was answered " + answer.status() + " " + answer.body());
        }
    }

    private static List<String> ids(Line.Answer answer) throws IOException {
        List<String> ids = new ArrayList<>();
        Server.json(answer)
                .path("events")
                .forEach(event -> ids.add(event.path("id").asText()));
        return ids;
    }

    private void behaveAsMachine(Map<String, Line> lines, Random random) throws IOException {
        List<Fleet.Machine> machines = server.fleet().machines();
        Fleet.Machine machine = machines.get(random.nextInt(machines.size()));
        Line line = lines.computeIfAbsent(machine.address(), server::machine);
        long floor = ledger.floor(machine.group());
        Line.Answer answer = line.ask("GET", Server.POLL, Server.MACHINE, null);
        if (answer.status() != 200) {
            ledger.violated("a poll was answered " + answer.status() + " " + answer.body());
            return;
        }
        JsonNode document = Server.json(answer);
        ledger.polled(machine.group(), floor, answer.body(), document);
        for (JsonNode event : document.path("Events")) {
            if (event.path("EventStatus").asText().equals("Scheduled") && random.nextInt(100) < 20) {
                approve(line, event.path("EventId").asText());
            }
        }
    }

    private void approve(Line line, String event) throws IOException {
        ledger.tryingToApprove(event);
        String body = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
        Line.Answer answer = line.ask("POST", Server.POLL, Server.MACHINE, body);
        if (answer.status() == 200) {
            ledger.approved(event);
        } else if (answer.status() != 400) {
            ledger.violated("an approval was answered " + answer.status() + " " + answer.body());
        }
    }

    /** Asks again what nobody answered, twice: done at most once, and answered the same. Returns how many it was done for. */
    int repeatLost() throws IOException {
        int done = 0;
        try (Line line = server.operator()) {
            for (Ledger.Command command : ledger.takeLost()) {
                Line.Answer first = line.ask("POST", command.path(), headers(command), command.body());
                settle(first, command);
                if (first.status() == 200) {
                    done++;
                    Line.Answer second = line.ask("POST", command.path(), headers(command), command.body());
                    if (second.status() != 200 || !ids(second).equals(ids(first))) {
                        ledger.violated(command + " was answered " + first + " and then " + second);
                    }
                }
            }
        }
        return done;
    }
}
