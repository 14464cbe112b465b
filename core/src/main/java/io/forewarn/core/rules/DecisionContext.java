package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The inputs for deciding one command: the state, the terms, the time, and the source of ids for new events. */
record DecisionContext(ChangeSet changes, ServiceTerms terms, Instant now, Supplier<EventId> ids) {
    EventLifecycle lifecycle() {
        return new EventLifecycle(changes, now);
    }

    StartBlockers blockers() {
        return new StartBlockers(changes, terms, now);
    }

    boolean enabled(GroupId group) {
        return enabled(changes, terms, group, now);
    }

    static boolean enabled(StateReader facts, ServiceTerms terms, GroupId group, Instant now) {
        if (terms.silence() == null) {
            return true;
        }
        GroupState state = facts.state(group);
        if (!state.isEnabled()) {
            return false;
        }
        // The request that enables counts as one, also before its answer is out.
        Instant polled = facts.lastPoll(group);
        boolean later = state.enabledAt().isAfter(polled) && !state.enabledAt().isAfter(now);
        // Unless service time was set back since: then it counts only how long ago the group asked.
        Instant asked = later ? state.enabledAt() : polled;
        return asked.plus(terms.silence()).isAfter(now);
    }

    /** The machines of an event that did not leave since it was announced. */
    List<String> present(GroupId group, Event event) {
        return event.resources().stream().filter(m -> changes.isThere(group, m)).toList();
    }

    /** The announced and started events of a machine: at most one of its own, beside those of rollouts. */
    List<Event> open(GroupId group, String machine) {
        return changes.state(group).events().stream()
                .filter(e -> e.phase() != Phase.WAITING && e.lists(machine))
                .toList();
    }

    /**
     * The event that keeps a machine's owner from asking for real work: what was asked for before, and the machine being taken away.
     * Platform work waits for owners, and rehearsals end for them, so neither is in their way.
     */
    Optional<Event> inTheOwnersWay(GroupId group, String machine) {
        return own(group, machine)
                .filter(e -> !e.work().rehearsal())
                .filter(e -> e.work().cause().source() == EventSource.USER
                        || e.work().cause() == Cause.PREEMPT)
                .findFirst();
    }

    /** The event that keeps anybody from rehearsing: a rehearsal gives way to whatever is open for the machine. */
    Optional<Event> inTheWayOfRehearsal(GroupId group, String machine) {
        return own(group, machine)
                .filter(e -> e.phase() != Phase.WAITING || e.work().cause().source() == EventSource.USER)
                .findFirst();
    }

    private Stream<Event> own(GroupId group, String machine) {
        return changes.state(group).events().stream().filter(e -> e.work().unit() == null && e.lists(machine));
    }
}
