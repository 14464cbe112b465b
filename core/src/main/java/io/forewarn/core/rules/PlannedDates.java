package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Tells owners when their machines are worked on: when that is planned, and when it moves. */
final class PlannedDates {
    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;
    private final Set<MachineId> came;

    PlannedDates(DecisionContext context) {
        this(context, List.of());
    }

    /** @param came the machines that came to a unit: {@link #tellArrived} tells its date to their owners, who know of no other */
    PlannedDates(DecisionContext context, Collection<MachineId> came) {
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
        this.came = Set.copyOf(came);
    }

    /** Owners of machines that came to their host after the rollout was planned know the date of its unit from now on. */
    void told(List<AffectedMachines> touched) {
        for (AffectedMachines affected : touched) {
            for (Machine machine : affected.machines()) {
                MachineCondition condition = changes.condition(machine.id());
                if (condition.arrived() != null) {
                    changes.put(condition.arrivedAt(null));
                }
            }
        }
    }

    /**
     * Tells the owners of machines that came to a unit when it is worked on.
     *
     * @param before its turn before it was looked at: if it had none, they were told with the others
     */
    void tellArrived(RolloutUnitId id, Turn before) {
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        if (before != null && !came.isEmpty()) {
            Rollout rollout = NextPass.rollout(changes, id);
            List<AffectedMachines> arrived = new ArrayList<>();
            for (AffectedMachines affected : NextPass.affected(changes, rollout, id)) {
                List<Machine> of = affected.machines().stream()
                        .filter(machine -> came.contains(machine.id()))
                        .toList();
                if (!of.isEmpty()) {
                    arrived.add(new AffectedMachines(affected.group(), affected.updateDomain(), of));
                }
            }
            tellPlanned(rollout, turn, arrived);
        }
    }

    /** Tells the owners of machines that the rollout did not know, or did not know when to work on, when it does. */
    void tellPlanned(Rollout rollout, Turn turn, List<AffectedMachines> machines) {
        told(machines);
        Map<String, SortedMap<Instant, List<String>>> times = new TreeMap<>();
        for (AffectedMachines affected : machines) {
            List<String> of = times.computeIfAbsent(affected.group().tenant(), t -> new TreeMap<>())
                    .computeIfAbsent(turn.told(EvacuationOrder.name(affected)), t -> new ArrayList<>());
            affected.machines().stream()
                    .map(Machine::name)
                    .limit(RolloutUnitRules.MOST_NAMED)
                    .forEach(of::add);
        }
        unitRules.notePlan(rollout.spec(), times);
    }

    /** Notes when the next pass of a unit starts, for those whose owners know another date. */
    void noteNext(Rollout rollout, NextPass pass, Turn before, Turn after) {
        noteNext(rollout, pass, before, after, after.why(), after.group());
    }

    /**
     * The same if the next pass has a reason of its own: that of the turn is about the work after all evacuations.
     *
     * @param group the group that {@code why} speaks of; null if it speaks of none
     */
    void noteNext(Rollout rollout, NextPass pass, Turn before, Turn after, String why, GroupId group) {
        Instant starts = after.next();
        List<AffectedMachines> others = pass.touched().stream()
                .filter(domain -> !starts.equals(before.told(EvacuationOrder.name(domain))))
                .toList();
        note(rollout, others, pass.cause(), starts, why, group);
    }

    /** Notes when the work on a host is for those who were to be moved away, and are not any more. */
    void noteStaying(Rollout rollout, List<AffectedMachines> staying, Turn turn) {
        note(rollout, staying, rollout.spec().cause(), turn.at(), turn.why(), turn.group());
    }

    /** Machines that are not shown the unit yet are not told of its new time, but their owners are. */
    private void note(
            Rollout rollout, List<AffectedMachines> touched, Cause cause, Instant starts, String why, GroupId group) {
        told(touched);
        Map<String, List<String>> names = new TreeMap<>();
        for (AffectedMachines affected : touched) {
            affected.machines().stream()
                    .filter(machine -> !came.contains(machine.id()))
                    .limit(RolloutUnitRules.MOST_NAMED)
                    .forEach(machine -> names.computeIfAbsent(affected.group().tenant(), t -> new ArrayList<>())
                            .add(machine.name()));
        }
        names.forEach((tenant, machines) -> changes.note(new HistoryEntry(
                context.now(),
                HistoryEntry.What.ROLLOUT_MOVED.name(),
                GroupId.all(tenant),
                null,
                cause,
                machines,
                Actor.SERVICE,
                starts,
                null,
                null,
                HistoryEntry.detail(rollout.spec().rehearsal(), Turn.why(why, group, tenant)),
                rollout.name())));
    }

    /** Owners are told when later evacuations of a host, or the work on it, come later because this evacuation does. */
    void noteWorkAfterEvacuation(Rollout rollout, RolloutUnitId id, NextPass pass, Turn before, Turn after) {
        if (!pass.moves() || before == null) {
            return;
        }
        List<AffectedMachines> rest = EvacuatedTurns.rest(changes, rollout, id, pass);
        EvacuationOrder order = new EvacuationOrder(changes, rollout);
        List<List<AffectedMachines>> later = order.all(id, 1, rest);
        for (int i = 1; i < after.evacuations().size() && i <= later.size(); i++) {
            List<AffectedMachines> moving = later.get(i - 1);
            Instant at = after.evacuations().get(i);
            if (i >= before.evacuations().size()
                    || at.isAfter(before.evacuations().get(i))) {
                note(rollout, moving, Cause.HOST_REDEPLOY, at, after.why(), after.group());
            }
            rest.removeAll(moving);
        }
        if (after.at().isAfter(before.at())) {
            note(rollout, rest, rollout.spec().cause(), after.at(), after.why(), after.group());
        }
    }
}
