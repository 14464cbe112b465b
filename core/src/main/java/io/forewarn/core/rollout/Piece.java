package io.forewarn.core.rollout;

/**
 * What a rollout does in one go: a host, or an update domain of a group written {@code tenant/group#domain}.
 */
public record Piece(String name, State state) {
    public enum State {
        PENDING,
        OPEN,
        DONE,
        FAILED,
        /** Nothing was left to do: its owners did it, it has no machines any more, or a person cancelled it. */
        SKIPPED
    }

    public Piece with(State next) {
        return new Piece(name, next);
    }
}
