package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Everything that can keep an event from starting, in one place. */
final class Holds {
    private final Facts facts;
    private final Terms terms;
    private final Instant now;

    Holds(Facts facts, Terms terms, Instant now) {
        this.facts = facts;
        this.terms = terms;
        this.now = now;
    }

    /** The first thing that holds an event back, if any does. */
    Optional<Hold> of(GroupId group, Event event) {
        return otherDomain(facts.state(group), event).or(() -> Policies.hold(facts, event, group, terms, now));
    }

    /** All that keeps an event from starting, its notice included, for people. */
    List<Hold> all(GroupId group, Event event) {
        List<Hold> holds = new ArrayList<>();
        if (event.phase() == Phase.STARTED) {
            return holds;
        }
        if (!isFree(facts.state(group), event)) {
            holds.add(new Hold("another event of its machine comes first", null));
        }
        if (event.phase() == Phase.SCHEDULED && !event.isApproved()) {
            Instant notBefore = event.announcement().notBefore();
            if (notBefore.isAfter(now)) {
                holds.add(new Hold("its notice, unless it is approved", notBefore));
                Policies.voting(facts, event, group, terms).ifPresent(why -> holds.add(new Hold(why, notBefore)));
            }
        }
        otherDomain(facts.state(group), event).ifPresent(holds::add);
        Policies.hold(facts, event, group, terms, now).ifPresent(holds::add);
        return holds;
    }

    /** One update domain at a time, and time to recover between two: design §8. */
    private Optional<Hold> otherDomain(GroupState state, Event event) {
        if (!event.work().cause().planned()) {
            return Optional.empty();
        }
        int domain = event.work().updateDomain();
        Optional<Event> down = state.events().stream()
                .filter(e -> e.phase() == Phase.STARTED
                        && e.work().cause().planned()
                        && e.work().updateDomain() != domain)
                .findFirst();
        if (down.isPresent()) {
            return Optional.of(new Hold("update domain " + down.get().work().updateDomain() + " is down", null));
        }
        GroupState.Down last = state.lastDown();
        if (last == null || last.updateDomain() == domain) {
            return Optional.empty();
        }
        Instant recovered = last.endedAt().plus(terms.recovery());
        return recovered.isAfter(now)
                ? Optional.of(new Hold("update domain " + last.updateDomain() + " recovers", recovered))
                : Optional.empty();
    }

    /** When time alone changes something in a group. */
    Optional<Instant> due(GroupState state) {
        return state.events().stream()
                .map(event -> due(state, event))
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private Optional<Instant> due(GroupState state, Event event) {
        if (event.phase() == Phase.STARTED || !isFree(state, event)) {
            return Optional.empty();
        }
        if (event.phase() == Phase.SCHEDULED
                && !event.isApproved()
                && event.announcement().notBefore().isAfter(now)) {
            return Optional.of(event.announcement().notBefore());
        }
        Optional<Hold> hold = of(state.group(), event);
        // What only another event holds is moved on when that event ends.
        return hold.isPresent() ? hold.map(Hold::until) : Optional.of(now);
    }

    /**
     * No machine of the event has another one open, and none came before it among those that wait. What overrides does not
     * queue behind what waits.
     */
    static boolean isFree(GroupState state, Event event) {
        boolean earlier = !event.work().cause().overrides();
        for (Event other : state.events()) {
            if (other.id().equals(event.id())) {
                earlier = false;
            } else if ((other.phase() != Phase.WAITING || earlier) && shareMachine(other, event)) {
                return false;
            }
        }
        return true;
    }

    private static boolean shareMachine(Event a, Event b) {
        return a.resources().stream().anyMatch(b::lists);
    }
}
