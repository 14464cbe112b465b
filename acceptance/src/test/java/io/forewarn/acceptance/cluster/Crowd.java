package io.forewarn.acceptance.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.acceptance.faults.Callers;
import io.forewarn.acceptance.faults.Fleet;
import io.forewarn.acceptance.faults.Ledger;
import io.forewarn.acceptance.faults.Line;
import io.forewarn.acceptance.faults.Operators;
import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/** Sixty-four callers at all nodes: operators who plan under keys, machines that poll and approve. */
final class Crowd {
    private static final int OPERATORS = 20;
    private static final int MACHINES = 44;
    private static final int LONGEST_PAUSE_MICROS = 500_000;
    private static final int LONGEST_NOTICE_MILLIS = 4_000;

    private final Cluster cluster;
    private final History history;
    private final List<Fleet.Machine> machines;
    private final long seed;
    private final Operators operators;
    private final Callers callers;
    private final List<Contact> contacts = new ArrayList<>();

    Crowd(Cluster cluster, History history, long seed) {
        this.cluster = cluster;
        this.history = history;
        this.machines = cluster.node(0).fleet().machines();
        this.seed = seed;
        this.operators =
                new Operators(history.ledger(), machines, seed, LONGEST_NOTICE_MILLIS, history::tryingToApprove);
        this.callers = new Callers(history.ledger());
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
        Contact contact =
                new Contact(cluster, history, machine == null ? null : machine.address(), number, Contact.HASTY_MILLIS);
        contacts.add(contact);
        callers.begin(number, random, LONGEST_PAUSE_MICROS, () -> called(caller, contact, random));
    }

    private void called(Caller caller, Contact contact, Random random) {
        try {
            caller.call(contact, random);
        } catch (IOException unexpected) {
            // Some node is always there to go on to.
            history.ledger().violated("a caller met " + unexpected);
        }
    }

    /** Returns when every caller has come to the end of what it was at. */
    void end() {
        callers.end();
        contacts.forEach(Contact::close);
    }

    private void operate(Contact contact, Random random) throws IOException {
        Ledger.Command command = operators.command(random);
        long sent = System.nanoTime();
        Contact.Told told = contact.untilKnown("POST", command.path(), key(command), command.body());
        if (told == null || told.answer().status() != 200 && !told.first()) {
            // Refused here, it may yet be done by a copy that waits for the writer at another node.
            history.nobodyAnswered();
            history.ledger().lost(command);
        } else {
            operators.settle(told.answer(), command);
            promise(told.answer(), command, sent);
        }
        if (random.nextInt(8) == 0) {
            contact.next();
        }
    }

    private static Map<String, String> key(Ledger.Command command) {
        return Map.of("Idempotency-Key", command.key());
    }

    private void promise(Line.Answer answer, Ledger.Command command, long sent) throws IOException {
        OptionalLong notice = command.noticeMillis();
        if (answer.status() == 200 && notice.isPresent()) {
            Operators.ids(answer).forEach(id -> history.promised(id, sent, notice.getAsLong()));
        }
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
        try (Contact contact = new Contact(cluster, history, null, 0, Contact.PATIENT_MILLIS)) {
            for (Ledger.Command command : history.ledger().takeLost()) {
                Contact.Told first = contact.untilKnown("POST", command.path(), key(command), command.body());
                contact.next();
                Contact.Told second = contact.untilKnown("POST", command.path(), key(command), command.body());
                if (first == null || second == null) {
                    history.ledger().violated(command + " is not answered although all nodes are well");
                    continue;
                }
                operators.settle(first.answer(), command);
                operators.settle(second.answer(), command);
                if (first.answer().status() == 200) {
                    done++;
                    if (second.answer().status() != 200
                            || !Operators.ids(second.answer()).equals(Operators.ids(first.answer()))) {
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
