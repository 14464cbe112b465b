package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Step;
import io.forewarn.core.fleet.GroupId;
import java.time.Duration;
import java.time.Instant;

/**
 * Takes events from step to step. The only place where an event enters, changes in or leaves a group's state, where the
 * incarnation counts, and where history is written of it: so a step outside the table cannot happen.
 */
final class Life {
    private final Draft draft;
    private final Instant now;

    Life(Draft draft, Instant now) {
        this.draft = draft;
        this.now = now;
    }

    /**
     * @param before null for a first step
     * @param after ignored where the step ends the event
     */
    void walk(GroupId group, Step step, Event before, Event after, Actor actor, String detail) {
        Phase from = before == null ? null : before.phase();
        Phase to = step.to() == Phase.GONE ? Phase.GONE : after.phase();
        if (from != step.from() || to != step.to()) {
            throw new IllegalStateException(
                    step + " leads from " + step.from() + " to " + step.to() + ", not from " + from + " to " + to);
        }
        GroupState state = draft.state(group);
        state = to == Phase.GONE ? state.without(before.id()) : state.with(after);
        draft.put(step.counts() && !isAnnouncedHere(step, before) ? state.counted() : state);
        boolean drill = before == null && after.work().drill();
        note(group, step, to == Phase.GONE ? before : after, actor, drill ? Entry.DRILL : detail);
    }

    /** Announced and started in one commit, an event is one change to whoever reads the document: contract §2. */
    private boolean isAnnouncedHere(Step step, Event before) {
        return starts(step)
                && before != null
                && before.announcement() != null
                && before.announcement().commit() == draft.commit();
    }

    private static boolean starts(Step step) {
        return step.to() == Phase.STARTED && step.from() != Phase.STARTED;
    }

    private void note(GroupId group, Step step, Event event, Actor actor, String detail) {
        Instant notBefore =
                event.announcement() == null ? null : event.announcement().notBefore();
        Duration given = !starts(step)
                ? null
                : event.announcement() == null || !event.shared()
                        ? Duration.ZERO
                        : draft.readable(event.id())
                                .orElseGet(() ->
                                        Duration.between(event.announcement().at(), now));
        draft.note(new Entry(
                now,
                step.name(),
                group,
                event.id(),
                event.work().cause(),
                event.resources(),
                actor,
                notBefore,
                event.shared() || event.phase() == Phase.WAITING ? event.work().notice() : null,
                given,
                detail,
                event.work().rollout()));
    }
}
