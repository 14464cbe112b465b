package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.Rollout;
import java.time.Instant;

/**
 * A machine's condition as reported by the drivers. A machine without a record is running and was never restarted.
 *
 * @param boots how often it was restarted, redeployed or recovered from a failure
 * @param since when it entered this state; null if it was always in it
 * @param detail the driver's description of a failure, or blank
 * @param move its last move to another host, possibly in progress; null if it never moved
 * @param mark the last rollout over its group or tag that worked on it; null if none did
 * @param rehearsed the last rehearsal of such a rollout; both may run at the same time
 * @param arrived when it last came to a host that a rollout was to evacuate if needed; null if never, or if it changed its group or
 *     update domain there
 * @param failedAt when work on it failed, if it has not run since; null if it runs, or is down for another reason
 */
public record MachineCondition(
        MachineId machine,
        State state,
        int boots,
        Instant since,
        String detail,
        Move move,
        RolloutMark mark,
        RolloutMark rehearsed,
        Instant arrived,
        Instant failedAt)
        implements StoredRecord {
    /** A rollout worked on the machine, or rehearsed that, until {@code at}. */
    public record RolloutMark(String rollout, Instant at) {}

    /**
     * A redeploy. Only the fleet knows the new host; this records the old one.
     *
     * @param from the host it was on when the move began; blank if that is not known
     * @param placement which of its placements that was
     * @param began when the move was started
     * @param ended when it was over; null while it is under way, and if it failed
     * @param rollout whose pass or work moved it; blank if its owner did
     */
    public record Move(String from, int placement, Instant began, Instant ended, String rollout) {
        Move done(Instant at) {
            return new Move(from, placement, began, at, rollout);
        }
    }

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

    MachineCondition now(State next, Instant at, String detail) {
        Instant failed =
                switch (next) {
                    case FAILED -> failedAt == null ? at : failedAt;
                    case RUNNING, TAKEN -> null;
                    case FROZEN, REBOOTING, REDEPLOYING, BROKEN_DOWN, BEING_TAKEN, BEING_DELETED -> failedAt;
                };
        return new MachineCondition(machine, next, boots, at, detail, move, mark, rehearsed, arrived, failed);
    }

    MachineCondition booted() {
        return new MachineCondition(machine, state, boots + 1, since, detail, move, mark, rehearsed, arrived, failedAt);
    }

    MachineCondition moving(Move next) {
        return new MachineCondition(machine, state, boots, since, detail, next, mark, rehearsed, arrived, failedAt);
    }

    MachineCondition marked(RolloutMark next, boolean rehearsal) {
        return new MachineCondition(
                machine,
                state,
                boots,
                since,
                detail,
                move,
                rehearsal ? mark : next,
                rehearsal ? next : rehearsed,
                arrived,
                failedAt);
    }

    MachineCondition arrivedAt(Instant at) {
        return new MachineCondition(machine, state, boots, since, detail, move, mark, rehearsed, at, failedAt);
    }

    /** Whether a rollout over its group or tag has worked on it. */
    boolean wasWorkedOn(Rollout by) {
        RolloutMark last = by.spec().rehearsal() ? rehearsed : mark;
        return last != null && last.rollout.equals(by.name()) && !last.at.isBefore(by.createdAt());
    }

    /** Whether it is failed and work of that type leaves it so: a pause mends nothing. */
    boolean staysFailed(EventType type) {
        return state == State.FAILED && type == EventType.FREEZE;
    }

    /** Whether its update domain counts as down; a machine that was taken away does not count. */
    boolean isDown() {
        return state != State.RUNNING && state != State.TAKEN;
    }

    /** Whether it is down until somebody repairs or replaces it. */
    boolean staysDown() {
        return state == State.FAILED || state == State.TAKEN;
    }

    /** Whether a rollout moved it off the host that the fleet still lists. */
    boolean wasMovedOff(Machine now, Rollout by) {
        return hasLeft(now) && move.rollout.equals(by.name()) && !move.ended.isBefore(by.createdAt());
    }

    /** Whether its owner moved it while a rollout left that to owners. */
    boolean wasMovedByOwner(Rollout during) {
        Instant until = during.spec().selfServiceUntil();
        return until != null
                && move != null
                && move.rollout.isEmpty()
                && (isLeaving() || move.ended != null && !move.ended.isBefore(during.createdAt()))
                && move.began.isBefore(until);
    }

    /** Whether it is being moved to another host; if that fails, it stays where it is. */
    boolean isLeaving() {
        return move != null && move.ended == null && state == State.REDEPLOYING;
    }

    /** Whether it moves or has moved, and the fleet has not been updated since. */
    boolean leavesOrHasLeft(Machine now) {
        return hasLeft(now) || isLeaving() && move.from.equals(now.host()) && move.placement == now.placement();
    }

    /** Whether it moved and the fleet has not been updated since. */
    boolean hasLeft(Machine now) {
        return move != null && move.ended != null && move.from.equals(now.host()) && move.placement == now.placement();
    }

    public static final String PREFIX = "machine/";

    public static MachineCondition fresh(MachineId machine) {
        return new MachineCondition(machine, State.RUNNING, 0, null, "", null, null, null, null, null);
    }

    @Override
    public String key() {
        return PREFIX + machine;
    }
}
