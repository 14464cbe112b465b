package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.RolloutWorkQueue;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Publishes a committed change set to readers, and updates deadlines, rollouts and rechecks accordingly. */
final class StatePublisher {
    /** Changes after which a unit of a rollout, or events that waited for a machine, may continue. */
    static final Set<String> FREEING = Stream.concat(
                    Arrays.stream(Transition.values())
                            .filter(transition -> transition.to() == Phase.ENDED)
                            .map(Transition::name),
                    Stream.of(HistoryEntry.What.RECOVERED.name()))
            .collect(Collectors.toUnmodifiableSet());

    private final PublishedState view;
    private final Deadlines deadlines;
    private final RolloutWorkQueue rollouts;
    private final GroupRechecks rechecks;

    StatePublisher(PublishedState view, Deadlines deadlines, RolloutWorkQueue rollouts, GroupRechecks rechecks) {
        this.view = view;
        this.deadlines = deadlines;
        this.rollouts = rollouts;
        this.rechecks = rechecks;
    }

    /** @param at from when on it can be read */
    void publish(ChangeSet draft, ClockReading at) {
        if (!draft.fleet().isEmpty()) {
            view.publish(draft.fleet());
        }
        List<Rollout> resumed = draft.changedRollouts().stream()
                .filter(r -> r.status() == Rollout.Status.RUNNING
                        && view.rollout(r.name()).map(Rollout::status).orElse(r.status()) != r.status())
                .toList();
        draft.waits().forEach(rollouts::waits);
        draft.changedRollouts().forEach(rollouts::published);
        draft.changedUnits().forEach(chunk -> rollouts.published(view.units(chunk.rollout(), chunk.chunk()), chunk));
        RecordType.BEFORE_STATES.forEach(type -> type.publish(view, draft));
        view.settle(draft.post());
        rechecks.policiesChanged(draft, at);
        RecordType.GROUP_STATES.publish(view, draft);
        draft.states().forEach(state -> deadlines.published(state, at));
        wakeRollouts(draft);
        resumed.forEach(rollout -> rechecks.rolloutResumed(rollout, at));
        rechecks.fleetChanged(draft.fleet(), at);
        rechecks.machinesFreed(draft.entries());
    }

    /** A condition that a rollout waits for may have been met. */
    private void wakeRollouts(ChangeSet draft) {
        draft.entries().stream()
                .filter(e -> e.group() != null && FREEING.contains(e.what()))
                .forEach(e -> rollouts.moved(e.group()));
        draft.conditions().forEach(c -> view.machine(c.machine()).ifPresent(m -> rollouts.moved(m.group())));
        if (!draft.fleet().isEmpty()
                || !draft.setPolicies().isEmpty()
                || !draft.removedPolicies().isEmpty()) {
            rollouts.everythingMoved();
        }
    }
}
