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
 * Represents a history entry.
 *
 * @param what a {@link io.forewarn.core.event.Transition}'s name, or one of {@link What}
 * @param group null if there is none
 * @param event null if there is none
 * @param cause cause of the event; null if there is none
 * @param machines the machines concerned, possibly none
 * @param notBefore when the event may start; null if it does not matter here
 * @param promised the promised notice; null before it is known
 * @param given the notice that was actually given, from visible to started; null unless this is a start
 * @param detail further details for people, or blank
 * @param rollout the rollout it is part of; null if it is part of none
 * @param recipient the subscription that was added, removed or resent to; null if there is none
 * @param reason why the actor did it, in the actor's own words; blank if none was given
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
        SubscriptionId recipient,
        String reason) {
    /** How the detail of an entry about a rehearsal begins. The first entry of one always says so. */
    public static final String REHEARSAL = "rehearsal";

    /** The detail in logs written before 0.1.0. */
    private static final String FORMERLY_REHEARSAL = "drill";

    /** Entries other than transitions of events. */
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
        /** One per tenant: which of its machines are worked on when. */
        ROLLOUT_PLANNED,
        /** A unit moved that machines are not shown yet. */
        ROLLOUT_MOVED,
        ROLLOUT_CANCELLED,
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

    /** The detail of an entry about work that may be a rehearsal. */
    public static String detail(boolean rehearsal, String more) {
        return !rehearsal ? more : more.isEmpty() ? REHEARSAL : REHEARSAL + "; " + more;
    }

    /** Whether this entry about work says that it is a rehearsal. */
    public boolean saysRehearsal() {
        return detail.equals(REHEARSAL) || detail.startsWith(REHEARSAL + "; ") || detail.equals(FORMERLY_REHEARSAL);
    }

    /** The same, with the reason that the actor gave. */
    public HistoryEntry because(String words) {
        return new HistoryEntry(
                at, what, group, event, cause, machines, actor, notBefore, promised, given, detail, rollout, recipient,
                words);
    }

    /** An entry without a subscription and a reason. */
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
        this(at, what, group, event, cause, machines, actor, notBefore, promised, given, detail, rollout, null, "");
    }

    /** An entry without a rollout. */
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
