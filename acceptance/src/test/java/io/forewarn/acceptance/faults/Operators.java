package io.forewarn.acceptance.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What operators ask for at random, and what they write down of the answers. */
public final class Operators {
    /** Few pauses: they are never refused but wait their turn, one update domain after the other. */
    private static final List<String> ACTIONS =
            List.of("restart", "restart", "restart", "restart", "redeploy", "redeploy", "fail", "freeze");

    private final Ledger ledger;
    private final List<Fleet.Machine> machines;
    private final long seed;
    private final int longestNotice;
    private final Consumer<String> approving;

    /**
     * @param longestNotice in milliseconds; the shortest is a second
     * @param approving is told of an event before it is approved
     */
    public Operators(
            Ledger ledger, List<Fleet.Machine> machines, long seed, int longestNotice, Consumer<String> approving) {
        this.ledger = ledger;
        this.machines = machines;
        this.seed = seed;
        this.longestNotice = longestNotice;
        this.approving = approving;
    }

    /** A command under a key of its own. */
    public Ledger.Command command(Random random) {
        String key = Long.toHexString(seed) + "-" + Long.toHexString(random.nextLong());
        List<String> known = ledger.known();
        int dice = random.nextInt(100);
        if (dice < 75 || known.isEmpty()) {
            String machine = machines.get(random.nextInt(machines.size())).name();
            String action = ACTIONS.get(random.nextInt(ACTIONS.size()));
            int notice = 1000 + random.nextInt(longestNotice - 1000);
            String asked = action.equals("fail") ? "" : ",\"notice\":\"" + notice + "ms\"";
            return new Ledger.Command(
                    key, "/v1/machines/" + machine + "/" + action, "{\"description\":\"" + key + "\"" + asked + "}");
        }
        String event = known.get(random.nextInt(known.size()));
        if (dice < 90) {
            return new Ledger.Command(key, "/v1/events/" + event + "/cancel", "");
        }
        approving.accept(event);
        return new Ledger.Command(key, "/v1/events/" + event + "/approve", "");
    }

    public void settle(BoundConnection.Answer answer, Ledger.Command command) throws IOException {
        if (answer.status() == 200) {
            ledger.acknowledged(command, ids(answer));
        } else if (answer.status() != 409 && answer.status() != 404 && answer.status() != 429) {
            ledger.violated(command + " was answered " + answer.status() + " " + answer.body());
        }
    }

    /** The events an answer tells of. */
    public static List<String> ids(BoundConnection.Answer answer) throws IOException {
        List<String> ids = new ArrayList<>();
        Server.json(answer)
                .path("events")
                .forEach(event -> ids.add(event.path("id").asText()));
        return ids;
    }
}
