package io.forewarn.acceptance.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Ledger;
import io.forewarn.acceptance.faults.Line;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sixty-four callers at all nodes: operators who plan under keys, machines that poll and approve. */
final class Crowd {
    private static final int OPERATORS = 20;
    private static final int MACHINES = 44;
    private static final int PAUSE_MILLIS = 500;
    private static final List<String> ACTIONS =
            List.of("restart", "restart", "restart", "restart", "redeploy", "redeploy", "fail", "freeze");

    private final Cluster cluster;
    private final History history;
    private final List<Fleet.Machine> machines;
    private final long seed;
    private final List<Thread> callers = new ArrayList<>();
    private volatile boolean over;

    Crowd(Cluster cluster, History history, long seed) {
        this.cluster = cluster;
        this.history = history;
        this.machines = cluster.node(0).fleet().machines();
        this.seed = seed;
    }

    private interface Caller {
        void call(Contact contact, Random random) throws IOException;
    }

    void start() {
        for (int i = 0; i < OPERATORS + MACHINES; i++) {
            Fleet.Machine machine = i < OPERATORS ? null : machines.get(i % machines.size());
            begin(i, machine, i < OPERATORS ? this::operate : (contact, random) -> behave(machine, contact, random));
        }
    }

    private void begin(int number, Fleet.Machine machine, Caller caller) {
        Random random = new Random(seed * 97 + number);
        Thread thread = new Thread(
                () -> {
                    try (Contact contact =
                            new Contact(cluster, history, machine == null ? null : machine.address(), number)) {
                        while (!over) {
                            caller.call(contact, random);
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(PAUSE_MILLIS)));
                        }
                    } catch (IOException | RuntimeException | Error unexpected) {
                        history.ledger().violated("a caller met " + unexpected);
                    }
                },
                "caller-" + number);
        callers.add(thread);
        thread.start();
    }

    /** Returns when every caller has come to the end of what it was at. */
    void end() {
        over = true;
        for (Thread caller : callers) {
            try {
                caller.join(TimeUnit.SECONDS.toMillis(60));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void operate(Contact contact, Random random) throws IOException {
        Ledger.Command command = command(random);
        long sent = System.nanoTime();
        Contact.Told told = contact.untilKnown("POST", command.path(), key(command), command.body());
        if (told == null || told.answer().status() != 200 && !told.first()) {
            // Refused here, it may yet be done by a copy that waits for the writer at another node.
            history.nobodyAnswered();
            history.ledger().lost(command);
        } else {
            settle(told.answer(), command);
            promise(told.answer(), command, sent);
        }
        if (random.nextInt(8) == 0) {
            contact.next();
        }
    }

    private static Map<String, String> key(Ledger.Command command) {
        return Map.of("Idempotency-Key", command.key());
    }

    private Ledger.Command command(Random random) {
        String key = Long.toHexString(seed) + "-" + Long.toHexString(random.nextLong());
        List<String> known = history.ledger().known();
        int dice = random.nextInt(100);
        if (dice < 75 || known.isEmpty()) {
            String machine = machines.get(random.nextInt(machines.size())).name();
            String action = ACTIONS.get(random.nextInt(ACTIONS.size()));
            String notice = action.equals("fail") ? "" : ",\"notice\":\"" + (1000 + random.nextInt(3000)) + "ms\"";
            return new Ledger.Command(
                    key, "/v1/machines/" + machine + "/" + action, "{\"description\":\"" + key + "\"" + notice + "}");
        }
        String event = known.get(random.nextInt(known.size()));
        if (dice < 90) {
            return new Ledger.Command(key, "/v1/events/" + event + "/cancel", "");
        }
        history.tryingToApprove(event);
        return new Ledger.Command(key, "/v1/events/" + event + "/approve", "");
    }

    private void settle(Line.Answer answer, Ledger.Command command) throws IOException {
        if (answer.status() == 200) {
            history.ledger().acknowledged(command, ids(answer));
        } else if (answer.status() != 409 && answer.status() != 404 && answer.status() != 429) {
            history.ledger().violated(command + " was answered " + answer.status() + " " + answer.body());
        }
    }

    private void promise(Line.Answer answer, Ledger.Command command, long sent) throws IOException {
        OptionalLong notice = command.noticeMillis();
        if (answer.status() == 200 && notice.isPresent()) {
            ids(answer).forEach(id -> history.promised(id, sent, notice.getAsLong()));
        }
    }

    private static List<String> ids(Line.Answer answer) throws IOException {
        List<String> ids = new ArrayList<>();
        Server.json(answer)
                .path("events")
                .forEach(event -> ids.add(event.path("id").asText()));
        return ids;
    }

    private void behave(Fleet.Machine machine, Contact contact, Random random) throws IOException {
        int node = contact.node();
        long floor = history.floor(node, machine.group());
        try {
            Line.Answer answer =
                    contact.once("GET", Server.POLL, Server.MACHINE, null).answer();
            if (answer.status() == 200) {
                history.polled(node, machine.group(), floor, answer.body());
                for (JsonNode event : Server.json(answer).path("Events")) {
                    if (event.path("EventStatus").asText().equals("Scheduled") && random.nextInt(100) < 10) {
                        approve(contact, event.path("EventId").asText());
                    }
                }
            } else if (answer.status() == 503) {
                contact.next(); // It is starting, and says so.
            } else {
                history.ledger().violated("a poll was answered " + answer.status() + " " + answer.body());
            }
            if (random.nextInt(8) == 0) {
                contact.next();
            }
        } catch (IOException unanswered) {
            contact.next();
        }
    }

    private void approve(Contact contact, String event) throws IOException {
        history.tryingToApprove(event);
        String body = "{\"StartRequests\":[{\"EventId\":\"" + event + "\"}]}";
        Line.Answer answer =
                contact.once("POST", Server.POLL, Server.MACHINE, body).answer();
        if (answer.status() == 200) {
            history.ledger().approved(event);
        } else if (answer.status() != 400 && answer.status() != 503) {
            history.ledger().violated("an approval was answered " + answer.status() + " " + answer.body());
        }
    }

    /** Asks again what nobody answered, at two nodes: done at most once, and answered the same. Returns how many it was done for. */
    int repeatLost() throws IOException {
        int done = 0;
        try (Contact contact = new Contact(cluster, history, null, 0)) {
            for (Ledger.Command command : history.ledger().takeLost()) {
                Contact.Told first = contact.untilKnown("POST", command.path(), key(command), command.body());
                contact.next();
                Contact.Told second = contact.untilKnown("POST", command.path(), key(command), command.body());
                if (first == null || second == null) {
                    history.ledger().violated(command + " is not answered although all nodes are well");
                    continue;
                }
                settle(first.answer(), command);
                settle(second.answer(), command);
                if (first.answer().status() == 200) {
                    done++;
                    if (second.answer().status() != 200 || !ids(second.answer()).equals(ids(first.answer()))) {
                        history.ledger().violated(command + " was answered " + first + " and then " + second);
                    }
                } else if (second.answer().status() != 200) {
                    history.ledger().refusedAfterLost(command);
                }
            }
        }
        return done;
    }
}
