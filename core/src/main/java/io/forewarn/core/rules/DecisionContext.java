package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.ArrayList;
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
        return terms.silence() == null
                || facts.state(group).isEnabled()
                        && silentFrom(facts, terms, group, now).isAfter(now);
    }

    /** From when on a group that polls now counts as silent unless a machine of it polls again. */
    static Instant silentFrom(StateReader facts, ServiceTerms terms, GroupId group, Instant now) {
        GroupState state = facts.state(group);
        // The request that enables counts as one, also before its answer is out.
        Instant polled = facts.lastPoll(group);
        boolean later = state.enabledAt().isAfter(polled) && !state.enabledAt().isAfter(now);
        // If service time was set back since, only the time since the last poll counts.
        Instant asked = later ? state.enabledAt() : polled;
        return asked.plus(terms.silence());
    }

    /** The machines of an event that did not leave since it was announced. */
    List<String> present(GroupId group, Event event) {
        return present(changes, group, event);
    }

    static List<String> present(StateReader facts, GroupId group, Event event) {
        List<String> present = new ArrayList<>(event.resources().size());
        for (String machine : event.resources()) {
            if (facts.isThere(group, machine)) {
                present.add(machine);
            }
        }
        return present;
    }

    /** The scheduled and started events of a machine: at most one of its own, besides those of rollouts. */
    List<Event> open(GroupId group, String machine) {
        return changes.state(group).events().stream()
                .filter(e -> e.phase() != Phase.WAITING && e.lists(machine))
                .toList();
    }

    /**
     * The event that keeps a machine's owner from requesting real work: an earlier request, or the preemption of the machine.
     * Platform work waits for owners, and rehearsals end for them, so neither blocks them.
     */
    Optional<Event> inTheOwnersWay(GroupId group, String machine) {
        return changes.state(group).events().stream()
                .filter(e -> e.lists(machine) && !e.work().rehearsal())
                .filter(e -> e.work().cause().source() == EventSource.USER
                        || e.work().cause() == Cause.PREEMPT
                        || e.joined().get(machine) == Cause.PREEMPT)
                .findFirst();
    }

    /** The event that prevents a rehearsal: any open event of the machine does. */
    Optional<Event> inTheWayOfRehearsal(GroupId group, String machine) {
        return own(group, machine)
                .filter(e -> e.phase() != Phase.WAITING || e.work().cause().source() == EventSource.USER)
                .findFirst();
    }

    private Stream<Event> own(GroupId group, String machine) {
        return changes.state(group).events().stream().filter(e -> e.work().unit() == null && e.lists(machine));
    }
}
