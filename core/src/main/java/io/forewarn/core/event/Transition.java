package io.forewarn.core.event;

import static io.forewarn.core.event.Phase.ENDED;
import static io.forewarn.core.event.Phase.STARTED;
import static io.forewarn.core.event.Phase.WAITING;

/**
 * Lists all transitions of an event: contract §5. {@code docs/lifecycle.md} is
 * printed from this table, and a test covers every row.
 */
public enum Transition {
    ACCEPTED(null, WAITING, false, "platform work on a machine that has an open event"),
    SCHEDULED(null, Phase.SCHEDULED, true, "work on a group that is enabled"),
    SCHEDULED_AFTER_WAITING(WAITING, Phase.SCHEDULED, true, "the machine is free again"),
    PLANNED(null, Phase.SCHEDULED, false, "work of a rollout that machines are not shown yet"),
    SCHEDULED_AFTER_PLANNING(
            Phase.SCHEDULED, Phase.SCHEDULED, true, "the time to show the event has come, or the group began to poll"),
    STARTED_AT_ONCE(null, STARTED, true, "a hardware failure, or an owner's request that a policy approves in advance"),
    STARTED_WITHOUT_NOTICE(null, STARTED, false, "work on a group that is not enabled"),
    STARTED_WITHOUT_NOTICE_AFTER_WAITING(
            WAITING, STARTED, false, "the machine is free again, and its group is not enabled"),
    MOVED(
            Phase.SCHEDULED,
            Phase.SCHEDULED,
            true,
            "NotBefore moved later, because the event became readable late, other work on its host was"
                    + " postponed, or something held the event past its window"),
    POSTPONED(
            Phase.SCHEDULED,
            Phase.SCHEDULED,
            true,
            "the owner or a machine asked for more time, and a policy allows it"),
    POSTPONED_UNSEEN(Phase.SCHEDULED, Phase.SCHEDULED, false, "the same, for an event that is not shown"),
    APPROVED(Phase.SCHEDULED, Phase.SCHEDULED, false, "a person, or as many machines as the policy requires, approved"),
    APPROVAL_LAPSED(
            Phase.SCHEDULED,
            Phase.SCHEDULED,
            false,
            "it was approved because none of its machines was running, and one is running again"),
    STARTED_BY_APPROVAL(Phase.SCHEDULED, STARTED, true, "approved, and nothing blocks the start"),
    STARTED_BY_TIME(Phase.SCHEDULED, STARTED, true, "NotBefore has passed"),
    STARTED_UNSEEN(Phase.SCHEDULED, STARTED, false, "work on a host starts, and the group is not enabled"),
    TRIED_AGAIN(STARTED, STARTED, false, "after a crash, the driver answered that it does not know the event"),
    JOINED(STARTED, STARTED, false, "a machine whose event has started fails or is preempted"),
    CANCELLED(Phase.SCHEDULED, ENDED, true, "cancelled by a person"),
    CANCELLED_WHILE_WAITING(WAITING, ENDED, false, "cancelled by a person"),
    CANCELLED_UNSEEN(Phase.SCHEDULED, ENDED, false, "work on a host was cancelled, and the group is not enabled"),
    SUPERSEDED(
            Phase.SCHEDULED,
            ENDED,
            true,
            "a failure or preemption took its place or did what was requested, or the machine is gone"),
    SUPERSEDED_WHILE_WAITING(
            WAITING, ENDED, false, "a failure did what was requested, or the machine was deleted or preempted"),
    REHEARSAL_ENDED(STARTED, ENDED, true, "real work on one of its machines ended the rehearsal"),
    REHEARSAL_ENDED_UNSEEN(STARTED, ENDED, false, "the same, for an event that is not shown"),
    COMPLETED(STARTED, ENDED, true, "the driver reported that the work is done"),
    FAILED(STARTED, ENDED, true, "the driver reported a failure or took too long"),
    COMPLETED_UNSEEN(STARTED, ENDED, false, "work without notice is done"),
    FAILED_UNSEEN(STARTED, ENDED, false, "work without notice failed");

    private final Phase from;
    private final Phase to;
    private final boolean counts;
    private final String when;

    Transition(Phase from, Phase to, boolean counts, String when) {
        this.from = from;
        this.to = to;
        this.counts = counts;
        this.when = when;
    }

    /** Null for the first transition of an event. */
    public Phase from() {
        return from;
    }

    public Phase to() {
        return to;
    }

    /** Whether machines see a difference, so that the DocumentIncarnation increases by one. */
    public boolean counts() {
        return counts;
    }

    public String when() {
        return when;
    }
}
