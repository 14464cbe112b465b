package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import java.time.Duration;
import java.time.Instant;

/**
 * Moves events from state to state. The only place where an event is added to, changed in or removed from a group's state,
 * where the incarnation is raised, and where event history is written, so that no transition outside the table can happen.
 */
final class EventLifecycle {
    private final ChangeSet draft;
    private final Instant now;

    EventLifecycle(ChangeSet draft, Instant now) {
        this.draft = draft;
        this.now = now;
    }

    /**
     * @param before null for a first step
     * @param after ignored where the step ends the event
     */
    void apply(GroupId group, Transition transition, Event before, Event after, Actor actor, String detail) {
        apply(group, transition, before, after, actor, detail, "");
    }

    /** @param reason what the actor gave as the reason, or blank; only the tenant of the group reads it */
    void apply(
            GroupId group,
            Transition transition,
            Event before,
            Event after,
            Actor actor,
            String detail,
            String reason) {
        Phase from = before == null ? null : before.phase();
        Phase to = transition.to() == Phase.ENDED ? Phase.ENDED : after.phase();
        if (from != transition.from() || to != transition.to()) {
            throw new IllegalStateException(transition + " leads from " + transition.from() + " to " + transition.to()
                    + ", not from " + from + " to " + to);
        }
        GroupState state = draft.state(group);
        state = to == Phase.ENDED ? state.without(before.id()) : state.with(after);
        draft.put(transition.counts() && !isAnnouncedHere(transition, before) ? state.counted() : state);
        Event event = to == Phase.ENDED ? before : after;
        String noted = HistoryEntry.detail(event.work().rehearsal(), detail);
        draft.note(entry(group, transition, event, actor, noted).because(reason));
    }

    /** An event that is scheduled and started in one commit is one change of the document: contract §2. */
    private boolean isAnnouncedHere(Transition transition, Event before) {
        return starts(transition)
                && before != null
                && before.noticePeriod() != null
                && before.noticePeriod().commit() == draft.commit();
    }

    private static boolean starts(Transition transition) {
        return transition.to() == Phase.STARTED && transition.from() != Phase.STARTED;
    }

    private HistoryEntry entry(GroupId group, Transition transition, Event event, Actor actor, String detail) {
        Instant notBefore =
                event.noticePeriod() == null ? null : event.noticePeriod().notBefore();
        Duration given = !starts(transition)
                ? null
                : event.noticePeriod() == null || !event.shared()
                        ? Duration.ZERO
                        : draft.readable(event.id())
                                .orElseGet(() ->
                                        Duration.between(event.noticePeriod().at(), now));
        return new HistoryEntry(
                now,
                transition.name(),
                group,
                event.id(),
                event.work().cause(),
                event.resources(),
                actor,
                notBefore,
                event.shared() || event.phase() == Phase.WAITING ? event.work().notice() : null,
                given,
                detail,
                event.work().rollout());
    }
}
