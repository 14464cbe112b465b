package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.Optional;

/** One command being decided: what is known, what the terms are, what time it is. */
record Turn(Draft draft, Terms terms, Instant now) {
    Life life() {
        return new Life(draft, now);
    }

    Holds holds() {
        return new Holds(draft, terms, now);
    }

    boolean enabled(GroupId group) {
        return enabled(draft, terms, group, now);
    }

    static boolean enabled(Facts facts, Terms terms, GroupId group, Instant now) {
        if (terms.silence() == null) {
            return true;
        }
        GroupState state = facts.state(group);
        if (!state.isEnabled()) {
            return false;
        }
        // The request that enables counts as one, also before its answer is out.
        Instant polled = facts.lastPoll(group);
        Instant asked = polled.isAfter(state.enabledAt()) ? polled : state.enabledAt();
        return asked.plus(terms.silence()).isAfter(now);
    }

    /** The announced or started event that a machine has, if any. */
    Optional<Event> open(GroupId group, String machine) {
        return draft.state(group).events().stream()
                .filter(e -> e.phase() != Phase.WAITING && e.lists(machine))
                .findFirst();
    }
}
