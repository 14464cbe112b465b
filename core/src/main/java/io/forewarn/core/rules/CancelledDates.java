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
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.UpcomingUnits.Ahead;
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
    private static final String REMOVED = "removed from the fleet";
    private static final String REDEPLOYED = "redeployed by its owner, which counts as the work";
    private static final String EVACUATION_FAILED = "the evacuation of its host failed";
    private static final String UNFIT = "the rollout goes on without what could not be worked on";

    private final DecisionContext context;
    private final ChangeSet changes;
    private final Map<RolloutUnitId, Set<MachineId>> named = new HashMap<>();

    CancelledDates(DecisionContext context) {
        this.context = context;
        this.changes = context.changes();
    }

    /** A rollout is about to be aborted. */
    void ofAll(Rollout rollout) {
        Stream<Ahead> ahead = UpcomingUnits.ahead(changes, rollout);
        Stream<Ahead> unfit = UpcomingUnits.unfit(changes, rollout);
        Stream<Ahead> failed = UpcomingUnits.failedEvacuations(changes, rollout);
        of(rollout, Stream.of(ahead, unfit, failed).flatMap(units -> units), "");
    }

    /** A rollout goes on without the hosts whose evacuation failed, or ends. */
    void ofFailedEvacuations(Rollout rollout) {
        of(rollout, UpcomingUnits.failedEvacuations(changes, rollout), EVACUATION_FAILED);
    }

    /** A rollout goes on without the units that could not be worked on, which had a date all the same. */
    void ofUnfit(Rollout rollout) {
        of(rollout, UpcomingUnits.unfit(changes, rollout), UNFIT);
    }

    /** A unit is about to lose its turn, or to be skipped. */
    void of(RolloutUnitId id, String why) {
        Ahead unit = new Ahead(id.unit(), UpcomingUnits.unit(changes, id));
        of(changes.rollout(id.rollout()).orElseThrow(), Stream.of(unit), why);
    }

    private void of(Rollout rollout, Stream<Ahead> units, String why) {
        RolloutPartitioner partitioner = new RolloutPartitioner(changes, rollout.spec());
        Map<String, List<String>> names = new TreeMap<>();
        units.forEach(each -> partitioner.concerned(each.unit().name(), rollout).stream()
                .filter(machine -> isExpected(each.id(rollout), machine))
                .forEach(machine -> add(names, machine)));
        note(rollout, names, why);
    }

    /** A change of the fleet is about to be made, after which machines may be part of no unit any more. */
    void of(Collection<GroupChange> fleet) {
        List<Rollout> rollouts =
                changes.rollouts().stream().filter(r -> !r.isOver()).toList();
        if (rollouts.isEmpty()) {
            return;
        }
        Map<MachineId, Machine> after = new HashMap<>();
        for (GroupChange change : fleet) {
            change.machines().forEach(machine -> after.put(machine.id(), machine));
        }
        List<Machine> removed = fleet.stream()
                .flatMap(change -> changes.machines(change.id()).stream())
                .filter(machine -> !after.containsKey(machine.id()))
                .toList();
        for (Rollout rollout : rollouts) {
            Map<String, List<String>> names = new TreeMap<>();
            for (Machine machine : after.values()) {
                changes.machine(machine.id())
                        .filter(before -> !before.equals(machine) && leaves(rollout, before, machine))
                        .ifPresent(before -> add(names, before));
            }
            note(rollout, names, LEFT);
            Map<String, List<String>> gone = new TreeMap<>();
            removed.stream()
                    .filter(machine -> isConcerned(rollout, machine) && isExpected(id(rollout, machine), machine))
                    .forEach(machine -> add(gone, machine));
            note(rollout, gone, REMOVED);
        }
    }

    /**
     * A machine is about to be deleted or taken away.
     *
     * @param by what ends so; if that is work of a rollout, this rollout has worked on the machine
     */
    void of(MachineId id, Event by, String why) {
        Machine machine = changes.machine(id).orElseThrow();
        for (Rollout rollout : changes.rollouts()) {
            if (!rollout.isOver()
                    && !rollout.name().equals(by.work().rollout())
                    && isConcerned(rollout, machine)
                    && isExpected(id(rollout, machine), machine)) {
                note(rollout, machine, why);
            }
        }
    }

    /** A machine has moved to another host; if its owner did that during self-service, it counts as done. */
    void ofMoved(MachineId id) {
        Machine machine = changes.machine(id).orElseThrow();
        MachineCondition condition = changes.condition(id);
        for (Rollout rollout : changes.rollouts()) {
            boolean hosts = rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS;
            boolean done = !rollout.isOver()
                    && condition.wasMovedByOwner(rollout)
                    && (hosts || !condition.wasWorkedOn(rollout))
                    && new RolloutPartitioner(changes, rollout.spec()).isChosen(machine);
            // The fleet may name its new host before the move is over, and the rollout may be to work there, too.
            RolloutUnitId left = hosts ? id(rollout, condition.move().from()) : id(rollout, machine);
            RolloutUnit next = hosts && isConcerned(rollout, machine) ? unit(id(rollout, machine)) : null;
            boolean there = next != null && next.isAhead();
            if (done && !there && isExpected(left, machine)) {
                note(rollout, machine, REDEPLOYED);
            }
        }
    }

    private boolean leaves(Rollout rollout, Machine before, Machine after) {
        boolean hosts = rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS;
        boolean stays = hosts
                ? before.host().equals(after.host())
                : before.group().equals(after.group())
                        && before.updateDomain() == after.updateDomain()
                        && new RolloutPartitioner(changes, rollout.spec()).isChosen(after);
        if (stays || !isConcerned(rollout, before)) {
            return false;
        }
        // In another unit that is still to come it has the date of that one.
        RolloutUnit next = unit(id(rollout, after));
        boolean covered = next != null
                && next.isAhead()
                && (hosts || new RolloutPartitioner(changes, rollout.spec()).isChosen(after));
        return isExpected(id(rollout, before), before) && !covered;
    }

    private boolean isConcerned(Rollout rollout, Machine machine) {
        return new RolloutPartitioner(changes, rollout.spec()).isConcerned(machine, rollout);
    }

    /** Whether a unit has a date at which a machine of it would be worked on, and no event that names the machine. */
    private boolean isExpected(RolloutUnitId id, Machine machine) {
        RolloutUnit unit = unit(id);
        return unit != null
                && unit.turn() != null
                && (unit.isAhead() || unit.wasUnfit() || unit.failedEvacuation() && !isLeaving(machine, unit.turn()))
                && !isNamed(machine, id);
    }

    /** Whether a machine is in an update domain that is evacuated next. */
    private static boolean isLeaving(Machine machine, Turn turn) {
        return turn.next().equals(turn.leaving().get(EvacuationOrder.name(machine.group(), machine.updateDomain())));
    }

    private RolloutUnitId id(Rollout rollout, Machine machine) {
        return id(rollout, rollout.spec().target().unitOf(machine));
    }

    private RolloutUnitId id(Rollout rollout, String unit) {
        OptionalInt number = changes.unitNumber(rollout.name(), unit);
        return number.isPresent() ? new RolloutUnitId(rollout.name(), number.getAsInt()) : null;
    }

    private RolloutUnit unit(RolloutUnitId id) {
        return id == null ? null : UpcomingUnits.unit(changes, id);
    }

    /** Whether an open event of a unit names a machine. */
    private boolean isNamed(Machine machine, RolloutUnitId id) {
        return named.computeIfAbsent(id, this::named).contains(machine.id());
    }

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

    private void note(Rollout rollout, Machine machine, String why) {
        note(rollout, Map.of(machine.group().tenant(), List.of(machine.name())), why);
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
