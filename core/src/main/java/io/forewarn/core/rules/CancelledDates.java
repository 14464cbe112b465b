package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Tells owners that work will not take place for which they were told a date, if machines have not been shown an event: of an event
 * they are told when it is cancelled.
 */
final class CancelledDates {
    private static final String LEFT = "no longer part of the rollout";

    private final DecisionContext context;
    private final ChangeSet changes;

    CancelledDates(DecisionContext context) {
        this.context = context;
        this.changes = context.changes();
    }

    /** A rollout is about to be aborted. */
    void ofAll(Rollout rollout) {
        RolloutPartitioner partitioner = new RolloutPartitioner(changes, rollout.spec());
        Map<String, List<String>> names = new TreeMap<>();
        UpcomingUnits.ahead(changes, rollout).forEach(ahead -> {
            Set<MachineId> named = named(ahead.id(rollout));
            partitioner.concerned(ahead.unit().name(), rollout).stream()
                    .filter(machine -> !named.contains(machine.id()))
                    .forEach(machine -> add(names, machine));
        });
        note(rollout, names, "");
    }

    /** A unit that is not shown does not start at its turn, and perhaps not at all. */
    void of(Rollout rollout, RolloutUnitId id, String why) {
        Map<String, List<String>> names = new TreeMap<>();
        new RolloutPartitioner(changes, rollout.spec())
                .concerned(UpcomingUnits.unit(changes, id).name(), rollout)
                .forEach(machine -> add(names, machine));
        note(rollout, names, why);
    }

    /** A change of the fleet is about to be made, after which machines may be part of no unit any more. */
    void of(Collection<GroupChange> fleet) {
        List<Rollout> rollouts =
                changes.rollouts().stream().filter(r -> !r.isOver()).toList();
        Map<MachineId, Machine> after = new HashMap<>();
        for (GroupChange change : rollouts.isEmpty() ? List.<GroupChange>of() : fleet) {
            change.machines().forEach(machine -> after.put(machine.id(), machine));
        }
        for (Rollout rollout : rollouts) {
            Map<String, List<String>> names = new TreeMap<>();
            for (Machine machine : after.values()) {
                changes.machine(machine.id())
                        .filter(before -> !before.equals(machine) && leaves(rollout, before, machine))
                        .ifPresent(before -> add(names, before));
            }
            note(rollout, names, LEFT);
        }
    }

    private boolean leaves(Rollout rollout, Machine before, Machine after) {
        RolloutPartitioner partitioner = new RolloutPartitioner(changes, rollout.spec());
        boolean stays =
                switch (rollout.spec().target().kind()) {
                    case HOSTS -> before.host().equals(after.host());
                    case GROUPS -> before.group().equals(after.group());
                    case TAG -> partitioner.isChosen(after);
                };
        if (stays || !partitioner.isConcerned(before, rollout)) {
            return false;
        }
        RolloutUnit unit = unit(rollout, before);
        RolloutUnit next = rollout.spec().target().kind() == RolloutTarget.Kind.TAG ? null : unit(rollout, after);
        boolean expected = unit != null
                && unit.isAhead()
                && unit.turn() != null
                && !named(id(rollout, before)).contains(before.id());
        // On another host of the rollout it has the date of that one; a group that is covered is covered to its end.
        boolean covered =
                next != null && (rollout.spec().target().kind() != RolloutTarget.Kind.HOSTS || next.isAhead());
        return expected && !covered;
    }

    private RolloutUnitId id(Rollout rollout, Machine machine) {
        OptionalInt number =
                changes.unitNumber(rollout.name(), rollout.spec().target().unitOf(machine));
        return number.isPresent() ? new RolloutUnitId(rollout.name(), number.getAsInt()) : null;
    }

    private RolloutUnit unit(Rollout rollout, Machine machine) {
        RolloutUnitId id = id(rollout, machine);
        return id == null
                ? null
                : changes.units(id.rollout(), id.unit() / RolloutUnitChunk.SIZE).unit(id.unit());
    }

    /** The machines that open events of a unit name. */
    private Set<MachineId> named(RolloutUnitId id) {
        Set<MachineId> named = new HashSet<>();
        Stream<ActiveUnit.Part> parts = changes.open(id).stream().flatMap(active -> active.parts().stream());
        parts.forEach(part -> changes.state(part.group()).event(part.event()).stream()
                .map(Event::resources)
                .flatMap(List::stream)
                .forEach(name -> named.add(new MachineId(part.group().tenant(), name))));
        return named;
    }

    private static void add(Map<String, List<String>> names, Machine machine) {
        names.computeIfAbsent(machine.group().tenant(), t -> new ArrayList<>()).add(machine.name());
    }

    private void note(Rollout rollout, Map<String, List<String>> names, String why) {
        names.forEach((tenant, machines) -> changes.note(new HistoryEntry(
                context.now(),
                HistoryEntry.What.ROLLOUT_CANCELLED.name(),
                GroupId.all(tenant),
                null,
                rollout.spec().cause(),
                machines.stream().limit(RolloutUnitRules.MOST_NAMED).toList(),
                Actor.SERVICE,
                null,
                null,
                null,
                HistoryEntry.detail(rollout.spec().rehearsal(), why),
                rollout.name())));
    }
}
