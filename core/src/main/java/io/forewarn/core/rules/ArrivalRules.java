package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.ValidationProblem;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** Rules for machines that come to a host or to an update domain on which a rollout is to work. */
final class ArrivalRules {
    private final StateReader facts;
    private final Collection<GroupChange> changes;
    private final List<Rollout> rollouts;
    private final Map<MachineId, Machine> changed = new HashMap<>();

    private ArrivalRules(StateReader facts, Collection<GroupChange> changes) {
        this.facts = facts;
        this.changes = changes;
        this.rollouts = facts.rollouts().stream()
                .filter(rollout -> !rollout.isOver() && !rollout.spec().rehearsal())
                .toList();
    }

    /** A machine cannot come to a host that is just being worked on: it would go down with the others. */
    static List<ValidationProblem> refused(StateReader facts, Collection<GroupChange> changes) {
        Map<String, String> busy = new HashMap<>();
        for (Rollout rollout : facts.rollouts()) {
            if (rollout.open() > 0 && isOverHosts(rollout) && !rollout.spec().rehearsal()) {
                facts.open(rollout.name()).stream()
                        .filter(ActiveUnit::hasStarted)
                        .forEach(unit -> busy.put(unit(facts, unit.tie()).name(), rollout.name()));
            }
        }
        List<ValidationProblem> faults = new ArrayList<>();
        for (GroupChange change : busy.isEmpty() ? List.<GroupChange>of() : changes) {
            for (Machine machine : change.machines()) {
                boolean arrives = busy.containsKey(machine.host())
                        && facts.machine(machine.id())
                                .filter(m -> m.host().equals(machine.host()))
                                .isEmpty();
                if (arrives) {
                    faults.add(new ValidationProblem(
                            0,
                            machine.id() + " cannot come to " + machine.host() + " while rollout "
                                    + busy.get(machine.host()) + " works on it; place it there when that is over"));
                }
            }
        }
        return faults;
    }

    /**
     * Why an owner cannot make a change. Each machine that comes to a unit gets notice, so an owner who keeps placing machines on a host,
     * or changing their update domains, could hold the work on it for as long as they like; and a second update domain of a group on a
     * host costs all others there the events that they were shown, or the work.
     */
    static List<ValidationProblem> refusedForOwners(StateReader facts, Collection<GroupChange> changes, Instant now) {
        ArrivalRules rules = new ArrivalRules(facts, changes);
        return rules.rollouts.isEmpty() ? List.of() : rules.refusedForOwners(now);
    }

    private List<ValidationProblem> refusedForOwners(Instant now) {
        changes.forEach(change -> change.machines().forEach(machine -> changed.put(machine.id(), machine)));
        List<ValidationProblem> faults = new ArrayList<>();
        for (Machine machine : changed.values()) {
            Machine before = facts.machine(machine.id()).orElse(null);
            if (machine.equals(before)) {
                continue;
            }
            for (Rollout rollout : rollouts) {
                refusal(rollout, before, machine, now)
                        .ifPresent(why -> faults.add(new ValidationProblem(0, machine.id() + " " + why)));
            }
        }
        return faults;
    }

    private Optional<String> refusal(Rollout rollout, Machine before, Machine machine, Instant now) {
        Optional<RolloutUnitId> id = unitOf(rollout, machine);
        RolloutUnit unit = id.map(known -> unit(facts, known)).orElse(null);
        boolean same = before != null
                && unitOf(rollout, before).equals(id)
                && before.group().equals(machine.group())
                && before.updateDomain() == machine.updateDomain();
        Optional<String> leaves = same || before == null ? Optional.empty() : leaves(rollout, before, now);
        if (leaves.isPresent()) {
            return leaves;
        }
        if (unit == null || same || !unit.isAhead()) {
            return Optional.empty();
        }
        if (unit.turn() != null && !unit.turn().due().isAfter(now)) {
            return Optional.of("cannot come to " + unit.name() + " while rollout " + rollout.name()
                    + " is due there; place it there when that is over");
        }
        Optional<Machine> other = isOverHosts(rollout) ? otherDomain(machine) : Optional.empty();
        if (other.isEmpty() || rollout.spec().evacuate() && unit.state() != RolloutUnit.State.OPEN) {
            return Optional.empty();
        }
        return Optional.of("cannot be in update domain " + machine.updateDomain() + " on " + machine.host()
                + " while rollout " + rollout.name() + " is to work there: "
                + other.get().name() + " of update domain " + other.get().updateDomain()
                + " is on it, and both must not be down together; change that when the rollout is over");
    }

    /** A machine that changes to another unit, or leaves and comes back, gets another turn each time: nothing would ever be done on it. */
    private Optional<String> leaves(Rollout rollout, Machine before, Instant now) {
        Optional<RolloutUnit> due = isOverHosts(rollout)
                ? Optional.empty()
                : unitOf(rollout, before)
                        .map(known -> unit(facts, known))
                        .filter(unit -> unit.isAhead()
                                && unit.turn() != null
                                && !unit.turn().due().isAfter(now)
                                && new RolloutPartitioner(facts, rollout.spec()).isConcerned(before, rollout));
        return due.map(unit -> "cannot leave " + unit.name() + " while rollout " + rollout.name()
                + " is due there; change that when the work is over");
    }

    /** A machine of another update domain of the same group that is on the same host after the change. */
    private Optional<Machine> otherDomain(Machine machine) {
        List<Machine> there = new ArrayList<>(facts.machinesOn(machine.host()).stream()
                .filter(id -> !changed.containsKey(id))
                .map(id -> facts.machine(id).orElse(null))
                .filter(Objects::nonNull)
                .toList());
        changed.values().stream().filter(m -> m.host().equals(machine.host())).forEach(there::add);
        return there.stream()
                .filter(m -> m.group().equals(machine.group()) && m.updateDomain() != machine.updateDomain())
                .findFirst();
    }

    private Optional<RolloutUnitId> unitOf(Rollout rollout, Machine machine) {
        boolean chosen = rollout.spec().target().kind() != RolloutTarget.Kind.TAG
                || RolloutSelector.tag(rollout.spec().target()).test(machine);
        OptionalInt number = chosen
                ? facts.unitNumber(rollout.name(), rollout.spec().target().unitOf(machine))
                : OptionalInt.empty();
        return number.isPresent()
                ? Optional.of(new RolloutUnitId(rollout.name(), number.getAsInt()))
                : Optional.empty();
    }

    private static boolean isOverHosts(Rollout rollout) {
        return rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS;
    }

    private static RolloutUnit unit(StateReader facts, RolloutUnitId id) {
        return facts.units(id.rollout(), id.unit() / RolloutUnitChunk.SIZE).unit(id.unit());
    }

    /**
     * What a change of the fleet changes in the conditions of machines: those that come to a host that a rollout is to evacuate if
     * needed have arrived, and those that are added under the name of a removed one which a rollout's event still names. One that
     * changes its group or update domain there was told the date of the host, and counts as one that was always there.
     */
    static List<MachineCondition> conditions(StateReader facts, Collection<GroupChange> changes, Instant now) {
        List<Rollout> rollouts = facts.rollouts().stream()
                .filter(rollout -> !rollout.isOver()
                        && rollout.spec().evacuate()
                        && rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS)
                .toList();
        List<MachineCondition> conditions = new ArrayList<>();
        for (GroupChange change : changes) {
            List<Event> scheduled = facts.state(change.id()).events().stream()
                    .filter(event -> event.work().unit() != null && event.phase() == Phase.SCHEDULED)
                    .toList();
            boolean concerned = !rollouts.isEmpty() || !scheduled.isEmpty();
            for (Machine machine : concerned ? change.machines() : List.<Machine>of()) {
                Machine before = facts.machine(machine.id()).orElse(null);
                if (machine.equals(before)) {
                    continue;
                }
                MachineCondition condition = facts.condition(machine.id());
                boolean stays = before != null && before.host().equals(machine.host());
                boolean sameUnit = stays
                        && before.group().equals(machine.group())
                        && before.updateDomain() == machine.updateDomain();
                if (stays && !sameUnit && condition.arrived() != null) {
                    conditions.add(condition.arrivedAt(null));
                } else if (!stays && rollouts.stream().anyMatch(rollout -> isToCome(facts, rollout, machine))
                        || before == null && scheduled.stream().anyMatch(event -> event.lists(machine.name()))) {
                    conditions.add(condition.arrivedAt(now));
                }
            }
        }
        return conditions;
    }

    private static boolean isToCome(StateReader facts, Rollout rollout, Machine machine) {
        OptionalInt number =
                facts.unitNumber(rollout.name(), rollout.spec().target().unitOf(machine));
        return number.isPresent()
                && UpcomingUnits.unit(facts, new RolloutUnitId(rollout.name(), number.getAsInt()))
                        .isAhead();
    }
}
