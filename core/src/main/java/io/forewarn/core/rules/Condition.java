package io.forewarn.core.rules;

import io.forewarn.core.Stored;
import io.forewarn.core.fleet.MachineId;
import java.time.Instant;

/**
 * How a machine is, as far as the drivers told. A machine of which nothing is stored runs and was never restarted.
 *
 * @param boots how often it was restarted, redeployed or came back from a failure
 * @param since when it got into this state; null if it always was
 * @param detail what the driver said of a failure, or blank
 * @param redeployedAt when it last moved to another host; null if it never did
 * @param redeployedFrom the host it moved away from, as far as is known; blank if none is
 */
public record Condition(
        MachineId machine,
        State state,
        int boots,
        Instant since,
        String detail,
        Instant redeployedAt,
        String redeployedFrom)
        implements Stored {
    /** What a machine is doing. */
    public enum State {
        RUNNING,
        FROZEN,
        REBOOTING,
        REDEPLOYING,
        BROKEN_DOWN,
        BEING_TAKEN,
        BEING_DELETED,
        TAKEN,
        FAILED
    }

    Condition now(State next, Instant at, String detail) {
        return new Condition(machine, next, boots, at, detail, redeployedAt, redeployedFrom);
    }

    Condition redeployed(Instant at, String from) {
        return new Condition(machine, state, boots, since, detail, at, from);
    }

    /** Whether its update domain counts as down; a machine that was taken away is nobody's any more. */
    boolean isDown() {
        return state != State.RUNNING && state != State.TAKEN;
    }

    /** Whether it moved away from a host after a moment, though the fleet may still say that it is there. */
    boolean hasLeft(String host, Instant moment) {
        return redeployedAt != null && !redeployedAt.isBefore(moment) && redeployedFrom.equals(host);
    }

    public static final String PREFIX = "machine/";

    public static Condition fresh(MachineId machine) {
        return new Condition(machine, State.RUNNING, 0, null, "", null, "");
    }

    @Override
    public String key() {
        return PREFIX + machine;
    }
}
