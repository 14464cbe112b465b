package io.forewarn.core.history;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.notification.SubscriptionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One line of history.
 *
 * @param what a {@link io.forewarn.core.event.Transition}'s name, or one of {@link What}
 * @param group null if it concerns none
 * @param event null if it concerns none
 * @param cause of the event; null if there is none
 * @param machines the machines concerned, possibly none
 * @param notBefore when the event may start; null if it does not matter here
 * @param promised the notice promised; null before it is known
 * @param given the notice really given: from readable to started; null unless this is a start
 * @param detail anything else a person wants to read, or blank
 * @param rollout the rollout it is part of; null if it is part of none
 * @param recipient who is told from now on, or no more, or again; null if it concerns none
 */
public record HistoryEntry(
        Instant at,
        String what,
        GroupId group,
        EventId event,
        Cause cause,
        List<String> machines,
        Actor actor,
        Instant notBefore,
        Duration promised,
        Duration given,
        String detail,
        String rollout,
        SubscriptionId recipient) {
    /** The detail of the first step of an event that is only a rehearsal. */
    public static final String REHEARSAL = "rehearsal";

    /** What logs written before 0.1.0 say instead. */
    private static final String FORMERLY_REHEARSAL = "drill";

    /** What history tells beside the steps of events. */
    public enum What {
        SEEN,
        ENABLED,
        FLEET_CHANGED,
        TENANT_SET,
        TOKEN_ADDED,
        TOKEN_REMOVED,
        POLICY_SET,
        POLICY_REMOVED,
        READY,
        RECOVERED,
        CLOCK_MOVED,
        ROLLOUT_STARTED,
        ROLLOUT_PAUSED,
        ROLLOUT_RESUMED,
        ROLLOUT_HALTED,
        ROLLOUT_ABORTED,
        ROLLOUT_DONE,
        ROLLOUT_REMOVED,
        SUBSCRIPTION_ADDED,
        SUBSCRIPTION_REMOVED,
        DELIVERIES_RESENT
    }

    public HistoryEntry {
        machines = List.copyOf(machines);
    }

    /** Whether this first step of an event says that it is only a rehearsal. */
    public boolean saysRehearsal() {
        return detail.equals(REHEARSAL) || detail.equals(FORMERLY_REHEARSAL);
    }

    /** About no recipient. */
    public HistoryEntry(
            Instant at,
            String what,
            GroupId group,
            EventId event,
            Cause cause,
            List<String> machines,
            Actor actor,
            Instant notBefore,
            Duration promised,
            Duration given,
            String detail,
            String rollout) {
        this(at, what, group, event, cause, machines, actor, notBefore, promised, given, detail, rollout, null);
    }

    /** Part of no rollout. */
    public HistoryEntry(
            Instant at,
            String what,
            GroupId group,
            EventId event,
            Cause cause,
            List<String> machines,
            Actor actor,
            Instant notBefore,
            Duration promised,
            Duration given,
            String detail) {
        this(at, what, group, event, cause, machines, actor, notBefore, promised, given, detail, null);
    }
}
