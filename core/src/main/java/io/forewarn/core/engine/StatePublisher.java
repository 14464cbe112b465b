package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.RolloutWorkQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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

    /**
     * @param prepared its fleet change, if that was prepared
     * @param at from when on it can be read
     */
    void publish(ChangeSet draft, Optional<FleetPublication> prepared, ClockReading at) {
        Map<String, ChangedUnits> changedUnits = changedUnits(draft);
        if (!draft.fleet().isEmpty()) {
            // Before machines come to their groups: they must not read a lower incarnation than they have read.
            RecordType.GROUP_STATES.publish(view, draft);
        }
        if (prepared.filter(FleetPublication::isCurrent).isPresent()) {
            view.publish(prepared.get());
        } else if (!draft.fleet().isEmpty()) {
            view.publish(draft.fleet());
        }
        List<Rollout> resumed = draft.changedRollouts().stream()
                .filter(r -> isStarting(r)
                        && !view.rollout(r.name())
                                .map(StatePublisher::isStarting)
                                .orElse(true))
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
        changedUnits.forEach((rollout, units) -> rollouts.moved(rollout, units.all, units.placed));
        resumed.forEach(rollout -> rechecks.rolloutResumed(rollout, at));
        rechecks.fleetChanged(draft.fleet(), at);
        rechecks.machinesFreed(draft.entries());
    }

    /** Whether units of a rollout may start. */
    private static boolean isStarting(Rollout rollout) {
        return rollout.status() == Rollout.Status.RUNNING && !rollout.isReplanning();
    }

    /** A condition that a rollout waits for may have been met. */
    private void wakeRollouts(ChangeSet draft) {
        draft.entries().stream()
                .filter(e -> e.group() != null && FREEING.contains(e.what()))
                .forEach(e -> rollouts.moved(e.group()));
        draft.conditions().forEach(c -> view.machine(c.machine()).ifPresent(m -> rollouts.moved(m.group())));
        if (!draft.setPolicies().isEmpty() || !draft.removedPolicies().isEmpty()) {
            rollouts.everythingMoved();
            // A date that is not shown yet follows the evacuations that are.
            view.rollouts().stream()
                    .filter(rollout -> !rollout.isOver() && rollout.spec().evacuate())
                    .flatMap(rollout -> view.open(rollout.name()).stream())
                    .filter(ActiveUnit::moves)
                    .forEach(unit -> rollouts.moved(unit.tie()));
        }
    }

    /**
     * The units of rollouts that changed machines belonged to or belong to now. Also those of machines that were taken away, because
     * their units do without them, and of machines that failed or were repaired: they are evacuated before others, and a machine
     * whose owner's move failed belongs to its unit again.
     */
    private Map<String, ChangedUnits> changedUnits(ChangeSet draft) {
        Map<String, ChangedUnits> units = new HashMap<>();
        List<Machine> changed = new ArrayList<>();
        draft.conditions().stream()
                .filter(condition -> condition.state() == MachineCondition.State.TAKEN
                        || hasFailed(condition) != hasFailed(view.condition(condition.machine())))
                .forEach(condition -> view.machine(condition.machine()).ifPresent(changed::add));
        if (changed.isEmpty() && draft.fleet().isEmpty()) {
            return units;
        }
        for (Rollout rollout : view.rollouts()) {
            ChangedUnits of = new ChangedUnits(new HashSet<>(), new HashMap<>());
            if (!rollout.isOver()) {
                for (GroupChange change : draft.fleet()) {
                    addUnits(rollout, view.machines(change.id()), of.all);
                    addUnits(rollout, change.machines(), of.all);
                    change.machines().forEach(machine -> addPlaced(rollout, machine, of.placed));
                }
                addUnits(rollout, changed, of.all);
            }
            units.put(rollout.name(), of);
        }
        return units;
    }

    /** @param placed those to which machines came, with these machines, or whose machines changed their update domain */
    private record ChangedUnits(Set<Integer> all, Map<Integer, List<MachineId>> placed) {}

    private void addPlaced(Rollout rollout, Machine machine, Map<Integer, List<MachineId>> placed) {
        Machine before = view.machine(machine.id()).orElse(null);
        if (machine.equals(before)) {
            return;
        }
        OptionalInt unit = unit(rollout, machine);
        boolean came = before == null || !unit(rollout, before).equals(unit);
        boolean changed = came
                || before.updateDomain() != machine.updateDomain()
                || !before.group().equals(machine.group());
        if (unit.isPresent() && changed) {
            List<MachineId> machines = placed.computeIfAbsent(unit.getAsInt(), u -> new ArrayList<>());
            // In another update domain of a host that is evacuated it has another date.
            if (came || rollout.spec().evacuate() && isOverHosts(rollout)) {
                machines.add(machine.id());
            }
        }
    }

    private static boolean isOverHosts(Rollout rollout) {
        return rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS;
    }

    private OptionalInt unit(Rollout rollout, Machine machine) {
        return view.unitNumber(rollout.name(), rollout.spec().target().unitOf(machine));
    }

    private static boolean hasFailed(MachineCondition condition) {
        return condition.state() == MachineCondition.State.FAILED;
    }

    private void addUnits(Rollout rollout, List<Machine> machines, Set<Integer> units) {
        for (Machine machine : machines) {
            unit(rollout, machine).ifPresent(units::add);
        }
    }
}
