package io.forewarn.acceptance.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.core.event.Transition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One store, one server after the other on it, each killed under load at a random moment; then everything is judged. */
final class KillCampaign {
    private static final String HISTORY = "/v1/history?limit=10000000&order=oldest";
    private static final int LONGEST_MILLIS = 1500;

    private final Random random;
    private final long seed;
    private final Server server;
    private final Ledger ledger = new Ledger();
    private int repeated;

    KillCampaign(Path folder, long seed) throws IOException {
        this.seed = seed;
        this.random = new Random(seed);
        server = new Server(folder, new Fleet(6, 5)).hurried();
    }

    KillTotals run(int rounds) throws IOException {
        try (server) {
            server.start();
            pollAll(); // From now on every group gets notice.
            for (int round = 0; round < rounds && ledger.violations().isEmpty(); round++) {
                Load load = new Load(server, ledger, seed * 1000 + round);
                load.start();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(LONGEST_MILLIS)));
                server.kill();
                load.end();
                server.start();
                pollAll();
                repeated += new Load(server, ledger, seed * 1000 + round).repeatLost();
                judge(round == rounds - 1);
            }
            LedgerCheck last = new LedgerCheck(ledger, server.get(HISTORY));
            return new KillTotals(
                    rounds,
                    ledger.acknowledged(),
                    ledger.polls(),
                    repeated,
                    last.events(),
                    last.count(Transition.STARTED_BY_TIME),
                    last.count(Transition.STARTED_BY_APPROVAL),
                    last.count(Transition.STARTED_AT_ONCE),
                    ledger.violations());
        }
    }

    private void pollAll() throws IOException {
        for (Fleet.Machine machine : server.fleet().leaders()) {
            long floor = ledger.floor(machine.group());
            BoundConnection.Answer answer = server.poll(machine.address());
            ledger.polled(machine.group(), floor, answer.body(), Server.json(answer));
        }
    }

    /** Nothing is forgotten: with nobody left to ask for anything, every event comes to its end by itself. */
    private void awaitTheEnd() throws IOException {
        try {
            Server.await(
                    "every event is over",
                    () -> new LedgerCheck(ledger, server.get(HISTORY)).open().isEmpty());
        } catch (AssertionError stuck) {
            LedgerCheck ledgerCheck = new LedgerCheck(ledger, server.get(HISTORY));
            ledgerCheck
                    .open()
                    .forEach(id ->
                            ledger.violated("event " + id + " does not come to its end: " + ledgerCheck.life(id)));
            ledger.violated("open are " + server.get("/v1/events"));
        }
    }

    /** The server goes on while it is judged, so boots must lie between what was known before and after they were read. */
    private void judge(boolean last) throws IOException {
        if (last) {
            awaitTheEnd();
        }
        LedgerCheck before = new LedgerCheck(ledger, server.get(HISTORY));
        JsonNode machines = server.get("/v1/machines");
        LedgerCheck after = new LedgerCheck(ledger, server.get(HISTORY));
        after.judge();
        Map<String, Integer> boots = new HashMap<>();
        machines.path("machines")
                .forEach(m -> boots.put(m.path("name").asText(), m.path("boots").asInt()));
        Map<String, Integer> fewest = before.boots();
        Map<String, Integer> most = after.boots();
        boots.forEach((machine, count) -> {
            int least = fewest.getOrDefault(machine, 0);
            int highest = most.getOrDefault(machine, 0);
            if (count < least || count > highest) {
                ledger.violated(
                        machine + " booted " + count + " times; its history tells of " + least + " to " + highest);
            }
        });
    }
}
