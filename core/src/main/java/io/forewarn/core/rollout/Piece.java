package io.forewarn.core.rollout;

/**
 * What a rollout does in one go: a host, or an update domain of a group written {@code tenant/group#domain}.
 */
public record Piece(String name, State state) {
    public enum State {
        PENDING,
        OPEN,
        /** By the driver or by its owners; or it has no machines any more. */
        DONE,
        FAILED,
        /** A person cancelled it. */
        SKIPPED
    }

    public Piece with(State next) {
        return new Piece(name, next);
    }
}
