package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the events of a scheduled unit in step with the machines it affects. The resources of an event never change: if a
 * machine left, its event is cancelled and the remaining machines get a new one; a machine that was added gets its own. All
 * other events of the unit keep their id, their approval and their NotBefore.
 */
final class UnitReconciler {
    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;

    UnitReconciler(DecisionContext context) {
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
    }

    /** Whether the unit is still scheduled, and its events now name every machine it touches. */
    boolean reconcile(RolloutUnitId rolloutUnitId) {
        List<Part> gone = depart(rolloutUnitId);
        boolean complete = scheduled(rolloutUnitId).isPresent() && arrive(rolloutUnitId);
        unitRules.settle(gone, Actor.SERVICE);
        return complete && scheduled(rolloutUnitId).isPresent();
    }

    private Optional<ActiveUnit> scheduled(RolloutUnitId rolloutUnitId) {
        return changes.open(rolloutUnitId).filter(unit -> !unit.hasStarted());
    }

    /** Cancels events that name a machine the unit no longer affects, and the unit with the last of them. */
    private List<Part> depart(RolloutUnitId rolloutUnitId) {
        Optional<ActiveUnit> open = scheduled(rolloutUnitId);
        if (open.isEmpty()) {
            return List.of();
        }
        List<AffectedMachines> touched = new UnitMachines(changes, open.get()).touched();
        Set<MachineId> there = new HashSet<>();
        touched.stream()
                .filter(affected -> !open.get().moves() || isOneOfSeveral(affected, touched))
                .forEach(affected -> affected.machines().forEach(m -> there.add(m.id())));
        List<Part> gone = new ArrayList<>();
        for (Part part : open.get().parts()) {
            Event event = unitRules.event(part);
            if (context.present(part.group(), event).isEmpty()
                    || event.resources().stream().anyMatch(name -> hasLeft(part.group(), event, name, there))) {
                unitRules.gone(part.group(), event, Actor.SERVICE, "a machine of it is not part of this work any more");
                gone.add(part);
            }
        }
        if (gone.size() == open.get().parts().size()) {
            // Also if nobody is left: somebody may come back before everything else is over.
            unitRules.close(open.get(), RolloutUnit.State.PENDING);
        } else if (!gone.isEmpty()) {
            changes.put(open.get().without(gone));
        }
        return gone;
    }

    /** Whether a host carries other update domains of the group, too, so that it has to be evacuated. */
    private static boolean isOneOfSeveral(AffectedMachines affected, List<AffectedMachines> touched) {
        return touched.stream()
                .anyMatch(other ->
                        other.group().equals(affected.group()) && other.updateDomain() != affected.updateDomain());
    }

    /**
     * Whether a machine that an event names is not affected by its unit any more, or is in another group or update domain, or is
     * another of that name. One that was deleted or taken away is only named, and the others need not be told anew.
     */
    private boolean hasLeft(GroupId group, Event event, String name, Set<MachineId> there) {
        MachineId id = new MachineId(group.tenant(), name);
        return changes.machine(id)
                .filter(m -> !m.group().equals(group)
                        || m.updateDomain() != event.work().updateDomain()
                        || isAddedSince(m, event)
                        || changes.isThere(group, name) && !there.contains(id))
                .isPresent();
    }

    /** Whether the event names a machine that was removed, and another was added under its name. */
    private boolean isAddedSince(Machine machine, Event event) {
        Instant arrived = changes.condition(machine.id()).arrived();
        return machine.placement() == 0
                && arrived != null
                && arrived.isAfter(event.work().acceptedAt());
    }

    /** Announces whoever the events do not name yet; false if somebody must wait, or the unit must begin anew. */
    private boolean arrive(RolloutUnitId rolloutUnitId) {
        ActiveUnit unit = changes.open(rolloutUnitId).orElseThrow();
        UnitMachines machines = new UnitMachines(changes, unit);
        List<AffectedMachines> missing = machines.unannounced();
        if (missing.isEmpty()) {
            return machines.leaving().isEmpty();
        }
        Rollout rollout = changes.rollout(rolloutUnitId.rollout()).orElseThrow();
        RolloutPacing pacing = new RolloutPacing(changes, context.terms(), rollout.spec(), context.now());
        List<AffectedMachines> touched = machines.touched();
        Optional<String> unfit = unfit(rollout, pacing, touched);
        if (unfit.isPresent()) {
            unitRules.callOff(unit, RolloutUnit.State.PENDING, Actor.SERVICE, unfit.get());
            return false;
        }
        boolean complete = rollout.status() == Rollout.Status.RUNNING;
        for (AffectedMachines affected : complete ? missing : List.<AffectedMachines>of()) {
            List<Machine> free = affected.machines().stream()
                    .filter(m -> isFree(rolloutUnitId, m))
                    .toList();
            boolean room = changes.state(affected.group()).events().size() < ScheduleRules.MOST_OPEN_EVENTS;
            if (room && !free.isEmpty()) {
                announce(
                        rolloutUnitId,
                        pacing,
                        touched,
                        new AffectedMachines(affected.group(), affected.updateDomain(), free));
            }
            complete &= room && free.size() == affected.machines().size();
        }
        return complete;
    }

    /** Why the unit cannot be carried out as it is now, with the machines that came. */
    private Optional<String> unfit(Rollout rollout, RolloutPacing pacing, List<AffectedMachines> touched) {
        if (!new EvacuationOrder(changes, rollout).first(touched).isEmpty()) {
            return Optional.of("its host carries two update domains of a group by now");
        }
        return pacing.hasWindow(touched, pacing.cause(), rollout.createdAt(), context.now())
                ? Optional.empty()
                : Optional.of(RolloutFinalizer.NO_WINDOW);
    }

    /**
     * Nothing is under way on the machine; an event of the unit it came from is called off first. What another rollout has scheduled
     * stays: one follows the other.
     */
    private boolean isFree(RolloutUnitId rolloutUnitId, Machine machine) {
        GroupId group = machine.group();
        if (context.blockers().machines().isBeingTaken(changes.state(group), machine.name())) {
            return false;
        }
        others(group, rolloutUnitId, machine).stream()
                .filter(e -> e.phase() == Phase.SCHEDULED && e.work().unit() != null)
                .forEach(e -> depart(e.work().unit()));
        return others(group, rolloutUnitId, machine).stream()
                .noneMatch(e -> e.phase() == Phase.STARTED
                        || rolloutUnitId.rollout().equals(e.work().rollout()));
    }

    /** Real work ends rehearsals, so it does not wait for them. */
    private List<Event> others(GroupId group, RolloutUnitId rolloutUnitId, Machine machine) {
        boolean rehearsal =
                changes.rollout(rolloutUnitId.rollout()).orElseThrow().spec().rehearsal();
        return changes.state(group).events().stream()
                .filter(e -> rehearsal || !e.work().rehearsal())
                .filter(e -> e.lists(machine.name())
                        && !rolloutUnitId.equals(e.work().unit()))
                .filter(e -> e.work().unit() != null || e.phase() == Phase.STARTED)
                .toList();
    }

    /** At the turn of the unit if its notice allows and its group is free then; else the unit gets another turn. */
    private void announce(
            RolloutUnitId rolloutUnitId,
            RolloutPacing pacing,
            List<AffectedMachines> touched,
            AffectedMachines affected) {
        Cause cause = pacing.cause();
        GroupId group = affected.group();
        // A date that its machines were shown may be a little later than those of the other events.
        Instant promised = UpcomingUnits.unit(changes, rolloutUnitId).turn().at();
        Instant starts = unitRules.starts(changes.open(rolloutUnitId).orElseThrow());
        Instant turn = promised.isAfter(starts) ? promised : starts;
        Instant least = context.now().plus(pacing.leastNotice(group, cause));
        Instant from = least.isAfter(turn) ? least : turn;
        Rollout rollout = changes.rollout(rolloutUnitId.rollout()).orElseThrow();
        TurnRules turnRules = new TurnRules(context);
        // Measured from its turn, so that several machines that come one after the other do not add up.
        if (!turnRules.maySlip(rollout, touched, cause, promised, from)
                || turnRules.isLate(rollout, rolloutUnitId, touched, cause, turn)
                || turn.isAfter(context.now()) && turnRules.isInTheWay(rollout, rolloutUnitId, touched, cause, turn)) {
            turnRules.moveForOwners(rolloutUnitId, from, "a machine was added, or is back", group);
            turn = unitRules.starts(changes.open(rolloutUnitId).orElseThrow());
        }
        new PlannedDates(context).told(List.of(affected));
        EventId id = context.ids().get();
        changes.put(changes.open(rolloutUnitId).orElseThrow().with(new Part(group, id)));
        Duration notice = pacing.noticeBefore(group, cause, turn);
        new StartRules(context)
                .plan(group, Event.accepted(id, pacing.work(rolloutUnitId, cause, affected, notice)), turn);
    }
}
