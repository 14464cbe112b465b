package io.forewarn.core.rollout;

/**
 * Represents a unit of a rollout: a host, or an update domain of a group, written {@code tenant/group#domain}.
 *
 * @param why why it failed or was skipped; blank otherwise
 */
public record RolloutUnit(String name, State state, String why) {
    public enum State {
        PENDING,
        OPEN,
        /** By the driver or by its owners. */
        DONE,
        FAILED,
        /** A person cancelled it, or it had no machines when all others had ended. */
        SKIPPED
    }

    /** A unit without a reason. */
    public RolloutUnit(String name, State state) {
        this(name, state, "");
    }

    public RolloutUnit with(State next, String why) {
        return new RolloutUnit(name, next, why);
    }
}
