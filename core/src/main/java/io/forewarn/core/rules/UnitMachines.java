package io.forewarn.core.rules;

import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares the machines named in the events of an open unit with those the unit affects now. */
final class UnitMachines {
    private final StateReader facts;
    private final ActiveUnit unit;
    private final Rollout rollout;

    UnitMachines(StateReader facts, ActiveUnit unit) {
        this.facts = facts;
        this.unit = unit;
        this.rollout = facts.rollout(unit.tie().rollout()).orElseThrow();
    }

    /** The machines the unit affects now. */
    List<AffectedMachines> touched() {
        return new RolloutPartitioner(facts, rollout.spec()).of(name(), rollout);
    }

    /** Those of them that no event of the unit names. An evacuation is only for those that it names. */
    List<AffectedMachines> unannounced() {
        List<AffectedMachines> missing = new ArrayList<>();
        if (unit.moves()) {
            return missing;
        }
        Set<MachineId> announced = announced();
        for (AffectedMachines affected : touched()) {
            List<Machine> machines = affected.machines().stream()
                    .filter(m -> !announced.contains(m.id()))
                    .toList();
            if (!machines.isEmpty()) {
                missing.add(new AffectedMachines(affected.group(), affected.updateDomain(), machines));
            }
        }
        return missing;
    }

    /** A machine that its owner is moving off the host instead: until that is over, it is there and no event names it. */
    Optional<Machine> leaving() {
        return unit.moves() || rollout.spec().target().kind() != RolloutTarget.Kind.HOSTS
                ? Optional.empty()
                : new RolloutPartitioner(facts, rollout.spec()).leaving(name());
    }

    private String name() {
        int number = unit.tie().unit();
        return facts.units(rollout.name(), number / RolloutUnitChunk.SIZE)
                .unit(number)
                .name();
    }

    private Set<MachineId> announced() {
        Set<MachineId> announced = new HashSet<>();
        for (Part part : unit.parts()) {
            facts.state(part.group()).event(part.event()).stream()
                    .flatMap(event -> event.resources().stream())
                    .forEach(machine -> announced.add(new MachineId(part.group().tenant(), machine)));
        }
        return announced;
    }
}
