package io.forewarn.core.rollout;

/**
 * What a rollout does in one go: a host, or an update domain of a group written {@code tenant/group#domain}.
 *
 * @param why it failed or was skipped, for people; blank otherwise
 */
public record RolloutUnit(String name, State state, String why) {
    public enum State {
        PENDING,
        OPEN,
        /** By the driver or by its owners. */
        DONE,
        FAILED,
        /** A person cancelled it, or it had no machines when everything else was over. */
        SKIPPED
    }

    /** With nothing to explain. */
    public RolloutUnit(String name, State state) {
        this(name, state, "");
    }

    public RolloutUnit with(State next, String why) {
        return new RolloutUnit(name, next, why);
    }
}
