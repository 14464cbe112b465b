package io.forewarn.core.rollout;

import java.time.Instant;

/**
 * Represents a unit of a rollout: a host, or an update domain of a group, written {@code tenant/group#domain}.
 *
 * @param why why it failed, was skipped or is set aside; blank otherwise
 * @param turn when it is to start; null if that is not known, because it cannot be worked on as it is
 * @param run when it was worked on; null until it is done or has failed
 * @param calledOff the turn that it had before it had none: its next turn is not before this; null if it has one, or never had
 */
public record RolloutUnit(String name, State state, String why, Turn turn, UnitRun run, Turn calledOff) {
    public enum State {
        PENDING,
        OPEN,
        /** By the driver or by its owners. */
        DONE,
        FAILED,
        /** A person cancelled it, or it had no machines when all others had ended. */
        SKIPPED
    }

    /** A unit of which it is not known when it was worked on. */
    public RolloutUnit(String name, State state, String why, Turn turn) {
        this(name, state, why, turn, null, null);
    }

    /** A unit that was not worked on yet. */
    public static RolloutUnit pending(String name, Turn turn) {
        return new RolloutUnit(name, State.PENDING, "", turn);
    }

    public RolloutUnit with(State next, String why) {
        return new RolloutUnit(
                name, next, why, turn, next == State.PENDING || next == State.OPEN ? null : run, calledOff);
    }

    public RolloutUnit with(Turn next) {
        return new RolloutUnit(name, state, why, next, run, null);
    }

    public RolloutUnit with(UnitRun last) {
        return new RolloutUnit(name, state, why, turn, last, calledOff);
    }

    /** The same unit without a turn. Owners who are told another one later are told no earlier date. */
    public RolloutUnit withoutTurn() {
        return new RolloutUnit(name, state, why, null, run, turn == null ? calledOff : turn);
    }

    /** Whether it is still to be done. */
    public boolean isAhead() {
        return state == State.PENDING || state == State.OPEN;
    }

    /** Whether it cannot start in time: the rollout does everything else first. */
    public boolean isSetAside() {
        return isAhead() && !why.isEmpty();
    }

    /** Whether it failed before its work began: as it was, it could not be worked on. */
    public boolean wasUnfit() {
        return state == State.FAILED && run == null;
    }

    /** Whether an evacuation of it failed, so that the work after it did not begin. */
    public boolean failedEvacuation() {
        return state == State.FAILED
                && run != null
                && turn != null
                && !turn.evacuations().isEmpty();
    }

    /** Whether it has a turn, and its work is to start later than then. */
    public boolean hasTurnAfter(Instant then) {
        return turn != null && turn.at().isAfter(then);
    }
}
