package io.forewarn.core.rules;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Divides a rollout into units, and finds the machines each affects. */
public final class RolloutPartitioner {
    private final StateReader facts;
    private final RolloutSpec spec;

    RolloutPartitioner(StateReader facts, RolloutSpec spec) {
        this.facts = facts;
        this.spec = spec;
    }

    /**
     * The names of a rollout's units.
     *
     * @throws RefusedException if it names something that does not exist, affects no machine, or needs an evacuation
     *     that is not allowed
     */
    static List<String> select(StateReader facts, RolloutSpec spec) {
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, spec);
        List<String> names =
                switch (spec.target().kind()) {
                    case HOSTS -> partitioner.hosts();
                    case GROUPS -> partitioner.domains(partitioner.selector().groups(), machine -> true);
                    case TAG ->
                        partitioner.domains(partitioner.selector().groups(), RolloutSelector.tag(spec.target()));
                };
        if (names.isEmpty()) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the rollout hits no machine; name hosts or groups that have some");
        }
        return names;
    }

    private RolloutSelector selector() {
        return new RolloutSelector(facts, spec.target());
    }

    RolloutTarget.Kind kind() {
        return spec.target().kind();
    }

    private List<String> hosts() {
        List<String> hosts = selector().hosts();
        if (!spec.evacuate()) {
            hosts.forEach(this::checkDomains);
        }
        return hosts;
    }

    /**
     * Work on a host takes all its machines down together, but two update domains of one group must never be down
     * together.
     */
    private void checkDomains(String host) {
        clash(host, machine -> isConcerned(machine, null)).ifPresent(clash -> {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "host " + host + " carries update domains " + Math.min(clash.one, clash.other) + " and "
                            + Math.max(clash.one, clash.other) + " of group " + clash.group
                            + ", which must not be down together; evacuate first (--evacuate), which moves all but one away");
        });
    }

    /** Two update domains of a group. */
    private record Clash(GroupId group, int one, int other) {}

    /** Two update domains of one group among some machines of a host. */
    private Optional<Clash> clash(String host, Predicate<Machine> counted) {
        Map<GroupId, Integer> domains = new HashMap<>();
        for (MachineId id : facts.machinesOn(host)) {
            Machine machine = facts.machine(id).orElseThrow();
            Integer other = counted.test(machine) ? domains.putIfAbsent(machine.group(), machine.updateDomain()) : null;
            if (other != null && other != machine.updateDomain()) {
                return Optional.of(new Clash(machine.group(), other, machine.updateDomain()));
            }
        }
        return Optional.empty();
    }

    /** All first domains, then all second ones: independent groups proceed in parallel. */
    private List<String> domains(Collection<GroupId> groups, Predicate<Machine> chosen) {
        TreeMap<Integer, List<String>> byDomain = new TreeMap<>();
        for (GroupId group : groups) {
            Set<Integer> domains = new TreeSet<>();
            facts.machines(group).stream().filter(chosen).forEach(m -> domains.add(m.updateDomain()));
            domains.forEach(
                    d -> byDomain.computeIfAbsent(d, k -> new ArrayList<>()).add(group + "#" + d));
        }
        return byDomain.values().stream().flatMap(List::stream).toList();
    }

    /** The machines that a unit of a planned rollout would affect. */
    List<AffectedMachines> of(String unit) {
        return of(unit, null);
    }

    /** Whether a unit has machines, and all of them were worked on, or moved by owners during self-service. */
    boolean isDone(String unit, Rollout rollout) {
        List<Machine> there = machines(unit);
        there.removeIf(m -> facts.condition(m.id()).state() == MachineCondition.State.TAKEN);
        return !there.isEmpty()
                && there.stream().allMatch(m -> {
                    MachineCondition condition = facts.condition(m.id());
                    return condition.wasMovedByOwner(rollout) || condition.wasWorkedOn(rollout);
                });
    }

    /**
     * Whether a unit is a host with machines of two update domains of some group, which are not evacuated: it cannot be worked on as it
     * is. A rehearsal takes nothing down.
     */
    boolean isCrowded(String unit, Rollout rollout) {
        return !spec.evacuate()
                && !spec.rehearsal()
                && spec.target().kind() == RolloutTarget.Kind.HOSTS
                && clash(unit, machine -> isConcerned(machine, rollout)).isPresent();
    }

    /** Whether a unit has machines to work on, and is not crowded. */
    boolean canBeWorkedOn(String unit, Rollout rollout) {
        return machines(unit).stream().anyMatch(machine -> isConcerned(machine, rollout)) && !isCrowded(unit, rollout);
    }

    /** The group of a machine of the unit whose move is under way; if that fails, the machine is part of the unit again. */
    Optional<GroupId> moving(String unit) {
        return leaving(unit).map(Machine::group);
    }

    /** A machine of the unit whose move is under way. */
    Optional<Machine> leaving(String unit) {
        return machines(unit).stream()
                .filter(m -> facts.condition(m.id()).isLeaving())
                .findFirst();
    }

    /**
     * The units of machines that a rollout over groups or a tag has not worked on yet, including unplanned ones. If a move by an owner
     * is under way, it is not known yet whether the machine is done.
     */
    List<String> outstanding(Rollout rollout) {
        return domains(
                selector().presentGroups(),
                machine -> isConcerned(machine, rollout) || isChosen(machine) && isMovedByOwnerNow(machine, rollout));
    }

    private boolean isMovedByOwnerNow(Machine machine, Rollout rollout) {
        MachineCondition condition = facts.condition(machine.id());
        return condition.isLeaving() && condition.wasMovedByOwner(rollout);
    }

    private List<Machine> machines(String unit) {
        List<Machine> machines = new ArrayList<>();
        if (spec.target().kind() == RolloutTarget.Kind.HOSTS) {
            facts.machinesOn(unit).forEach(id -> facts.machine(id).ifPresent(machines::add));
            machines.sort(Comparator.comparing(Machine::id));
        } else {
            int hash = unit.lastIndexOf('#');
            int slash = unit.indexOf('/');
            GroupId group = new GroupId(unit.substring(0, slash), unit.substring(slash + 1, hash));
            int domain = Integer.parseInt(unit.substring(hash + 1));
            facts.machines(group).stream()
                    .filter(m -> m.updateDomain() == domain && isChosen(m))
                    .forEach(machines::add);
        }
        return machines;
    }

    /** Whether a machine has the tag, if the rollout is over a tag. */
    boolean isChosen(Machine machine) {
        return kind() != RolloutTarget.Kind.TAG
                || RolloutSelector.tag(spec.target()).test(machine);
    }

    /** The machines of a unit, in no particular order, that it affects now. */
    List<Machine> concerned(String unit, Rollout rollout) {
        return machines(unit).stream().filter(m -> isConcerned(m, rollout)).toList();
    }

    /** Whom a unit touches now; machines that were moved away for the rollout, or by owners who were to, are left out. */
    List<AffectedMachines> of(String unit, Rollout rollout) {
        return grouped(unit, machine -> isConcerned(machine, rollout));
    }

    /** Those of a unit over a group or a tag that the rollout has worked on. */
    List<AffectedMachines> workedOn(String unit, Rollout rollout) {
        return grouped(unit, machine -> facts.condition(machine.id()).wasWorkedOn(rollout));
    }

    private List<AffectedMachines> grouped(String unit, Predicate<Machine> chosen) {
        Map<GroupId, Map<Integer, List<Machine>>> shares = new LinkedHashMap<>();
        for (Machine machine : machines(unit)) {
            if (chosen.test(machine)) {
                shares.computeIfAbsent(machine.group(), g -> new TreeMap<>())
                        .computeIfAbsent(machine.updateDomain(), d -> new ArrayList<>())
                        .add(machine);
            }
        }
        List<AffectedMachines> all = new ArrayList<>();
        shares.forEach((group, domains) -> domains.forEach(
                (domain, share) -> all.add(new AffectedMachines(group, domain, inFleetOrder(group, share)))));
        return all;
    }

    /**
     * Chosen, and neither evicted nor moved already. A machine moved during self-service is done wherever it is, unless the work is
     * on the host that the fleet has placed it on since.
     */
    boolean isConcerned(Machine machine, Rollout rollout) {
        MachineCondition condition = facts.condition(machine.id());
        if (condition.state() == MachineCondition.State.TAKEN || !isChosen(machine)) {
            return false;
        }
        if (rollout == null) {
            return true;
        }
        return spec.target().kind() == RolloutTarget.Kind.HOSTS
                ? !condition.wasMovedOff(machine, rollout)
                        && !(condition.leavesOrHasLeft(machine) && condition.wasMovedByOwner(rollout))
                : !condition.wasMovedByOwner(rollout) && !condition.wasWorkedOn(rollout);
    }

    private List<Machine> inFleetOrder(GroupId group, List<Machine> share) {
        if (share.size() < 2) {
            return share;
        }
        Set<MachineId> chosen = new LinkedHashSet<>();
        share.forEach(m -> chosen.add(m.id()));
        return facts.machines(group).stream()
                .filter(m -> chosen.contains(m.id()))
                .toList();
    }
}
