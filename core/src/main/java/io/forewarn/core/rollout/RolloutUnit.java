package io.forewarn.core.rollout;

/**
 * What a rollout does in one go: a host, or an update domain of a group written {@code tenant/group#domain}.
 */
public record RolloutUnit(String name, State state) {
    public enum State {
        PENDING,
        OPEN,
        /** By the driver or by its owners; or it has no machines any more. */
        DONE,
        FAILED,
        /** A person cancelled it. */
        SKIPPED
    }

    public RolloutUnit with(State next) {
        return new RolloutUnit(name, next);
    }
}
