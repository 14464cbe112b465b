package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.Command.Roll;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at units of a rollout when something may be due: shows a unit's events when its notice begins, lets one start that
 * waited for room, and gives those another turn that cannot keep theirs. For a unit that has to wait it says for what.
 */
final class RolloutOpener {
    /** How many events are made by one command, so that other commands pass in between. */
    private static final int PARTS_PER_COMMAND = 20;

    /** How soon a unit without a common window is looked at again: a policy may have changed. */
    private static final Duration NO_WINDOW = Duration.ofHours(1);

    /** How soon a unit that was too late is looked at again, if no policy changes before. */
    private static final Duration SET_ASIDE = Duration.ofMinutes(5);

    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;
    private final TurnRules turnRules;
    private final String name;
    private final RolloutSpec spec;
    private final RolloutPartitioner partitioner;
    private final RolloutPacing pacing;

    private RolloutOpener(DecisionContext context, Rollout rollout) {
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
        this.turnRules = new TurnRules(context);
        this.name = rollout.name();
        this.spec = rollout.spec();
        this.partitioner = new RolloutPartitioner(changes, spec);
        this.pacing = new RolloutPacing(changes, context.terms(), spec, context.now());
    }

    /** Looks at some units; answers at how many of them. */
    static CommandResult roll(DecisionContext context, Roll roll) {
        Rollout rollout = context.changes().rollout(roll.rollout()).orElse(null);
        if (rollout != null && rollout.status() == Status.ABORTED) {
            new RolloutRules(context).callOffSome(roll.rollout(), Actor.SERVICE);
        }
        if (rollout == null || rollout.status() != Status.RUNNING) {
            return CommandResult.NOTHING;
        }
        if (rollout.isReplanning()) {
            new ResumedTurns(context).replan(rollout);
            return CommandResult.NOTHING;
        }
        return new RolloutOpener(context, rollout).roll(roll);
    }

    private CommandResult roll(Command.Roll roll) {
        List<Integer> units = roll.units();
        int looked = 0;
        int parts = 0;
        while (looked < units.size() && parts < PARTS_PER_COMMAND && rollout().status() == Status.RUNNING) {
            int unit = units.get(looked++);
            parts += look(new RolloutUnitId(name, unit), roll.changed().get(unit));
        }
        unitRules.judgeRest(name);
        return new CommandResult(List.of(), looked);
    }

    private Rollout rollout() {
        return changes.rollout(name).orElseThrow();
    }

    /**
     * How many events this made or changed.
     *
     * @param came the machines that came to it since; null if it did not change
     */
    private int look(RolloutUnitId id, List<MachineId> came) {
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        boolean started = changes.open(id).filter(ActiveUnit::hasStarted).isPresent();
        if (unit.state() == RolloutUnit.State.OPEN && unit.isSetAside() && !started) {
            withdraw(id, unit.why());
            return 1;
        }
        if (unit.state() == RolloutUnit.State.OPEN) {
            if (came != null) {
                tellThoseWhoStay(id, unit, came);
            }
            if (changes.open(id).filter(ActiveUnit::moves).isPresent()) {
                turnRules.moveWorkIfClosed(id);
            }
            // It waited for room, or for its date to be moved.
            changes.open(id).ifPresent(active -> unitRules.settle(active.parts().subList(0, 1), Actor.SERVICE));
            return 1;
        }
        return unit.state() == RolloutUnit.State.PENDING ? lookPending(id, unit, came) : 0;
    }

    /** Machines that come to a host while it is evacuated, and are not moved away themselves, are worked on with the host. */
    private void tellThoseWhoStay(RolloutUnitId id, RolloutUnit unit, List<MachineId> came) {
        Optional<ActiveUnit> evacuation = changes.open(id).filter(ActiveUnit::moves);
        if (evacuation.isEmpty() || unit.turn() == null) {
            return;
        }
        List<AffectedMachines> leaving = NextPass.of(changes, rollout(), id).touched();
        List<MachineId> staying = came.stream()
                .filter(machine -> leaving.stream()
                        .flatMap(affected -> affected.machines().stream())
                        .noneMatch(moving -> moving.id().equals(machine)))
                .toList();
        new PlannedDates(context, staying).tellArrived(id, unit.turn());
    }

    private int lookPending(RolloutUnitId id, RolloutUnit unit, List<MachineId> came) {
        List<AffectedMachines> all = partitioner.of(unit.name(), rollout());
        if (all.isEmpty() && partitioner.isDone(unit.name(), rollout())) {
            Instant ownersUntil = spec.selfServiceUntil();
            Optional<GroupId> moving = partitioner.moving(unit.name());
            if (moving.isPresent()) {
                changes.put(BlockedUnit.forGroup(
                        id, moving.get(), null, "a machine of group " + moving.get() + " is being moved by its owner"));
            } else if (ownersUntil != null && ownersUntil.isAfter(context.now())) {
                // Until then others may come, or come back.
                changes.put(BlockedUnit.forTime(id, ownersUntil, ""));
            } else {
                done(id);
            }
            return 0;
        }
        Optional<String> unfit = all.isEmpty()
                ? Optional.of("no machine is on or in " + unit.name() + " at present")
                : spec.evacuate()
                        ? Optional.empty()
                        : RolloutFinalizer.crowded(
                                unit.name(), all, new EvacuationOrder(changes, rollout()).first(all));
        if (unfit.isPresent()) {
            // Until its turn machines may come back, or leave.
            boolean mayChange = unit.hasTurnAfter(context.now());
            if (!all.isEmpty() && unit.turn() != null && !mayChange) {
                new CancelledDates(context).of(id, "it could not be worked on");
                changes.put(unitRules.chunk(id).withoutTurn(id.unit()));
            }
            changes.put(
                    mayChange
                            ? BlockedUnit.forTimeOrEnd(id, unit.turn().at(), unfit.get())
                            : BlockedUnit.forItsTurn(id, unfit.get()));
            return 0;
        }
        NextPass pass = NextPass.of(changes, rollout(), id);
        boolean moves = pass.moves();
        Cause cause = pass.cause();
        List<AffectedMachines> touched = pass.touched();
        PlannedDates dates = new PlannedDates(context, came == null ? List.of() : came);
        TurnRules changed = new TurnRules(context, dates);
        boolean hasWindows = !moves || new RolloutFinalizer(context, rollout()).hasWindows(all);
        Optional<Turn> turn =
                hasWindows ? changed.current(id, unit, touched, cause, moves, came != null) : Optional.empty();
        if (turn.isEmpty()) {
            String late = hasWindows ? UpcomingUnits.unit(changes, id).why() : "";
            if (late.isEmpty()) {
                changes.put(BlockedUnit.forTime(id, context.now().plus(NO_WINDOW), RolloutFinalizer.NO_WINDOW));
            } else {
                withdraw(id, late);
            }
            return 0;
        }
        if (unit.isSetAside()) {
            changes.put(unitRules.chunk(id).with(id.unit(), RolloutUnit.State.PENDING, ""));
        }
        Instant starts = moves ? turn.get().next() : turn.get().at();
        RolloutPacing own = RolloutPacing.of(changes, context.terms(), rollout(), turn.get(), context.now());
        Instant shown = starts.minus(own.notice(touched, cause));
        List<AffectedMachines> readers = moves ? touched : readers(touched);
        Optional<BlockedUnit> hidden = shown.isAfter(context.now())
                ? Optional.of(BlockedUnit.forTime(id, shown, ""))
                : hidden(id, readers.isEmpty() ? touched : readers);
        if (hidden.isPresent()) {
            changes.put(hidden.get());
            dates.tellArrived(id, unit.turn());
            return 0;
        }
        boolean moved = !turn.get().equals(unit.turn());
        if (moved) {
            dates.tellArrived(id, unit.turn());
        }
        open(id, own, moves, cause, readers, starts, moved);
        return readers.size();
    }

    /** It cannot start in time: those concerned are told so, once, and it is looked at again now and then. */
    private void withdraw(RolloutUnitId id, String late) {
        String why = "it cannot start by " + spec.until();
        if (UpcomingUnits.unit(changes, id).turn() != null) {
            new CancelledDates(context).of(id, why);
        }
        changes.open(id).ifPresent(active -> unitRules.callOff(active, RolloutUnit.State.PENDING, Actor.SERVICE, why));
        changes.put(unitRules
                .chunk(id)
                .with(id.unit(), RolloutUnit.State.PENDING, late)
                .withoutTurn(id.unit()));
        changes.put(BlockedUnit.forTimeOrEnd(id, context.now().plus(SET_ASIDE), late));
    }

    /** @param moved whether its owners are just being told that it starts then */
    private void open(
            RolloutUnitId id,
            RolloutPacing own,
            boolean moves,
            Cause cause,
            List<AffectedMachines> touched,
            Instant starts,
            boolean moved) {
        List<ActiveUnit.Part> parts = new ArrayList<>();
        touched.forEach(affected ->
                parts.add(new ActiveUnit.Part(affected.group(), context.ids().get())));
        changes.put(new ActiveUnit(id, moves, parts));
        changes.put(unitRules.chunk(id).with(id.unit(), RolloutUnit.State.OPEN));
        changes.put(rollout().counted(1, 0, 0, 0));
        StartRules startRules = new StartRules(context);
        Instant notBefore = noticed(id, own, moves, cause, touched, starts, moved);
        for (int i = 0; i < touched.size(); i++) {
            GroupId group = touched.get(i).group();
            Work work = own.work(id, cause, touched.get(i), own.noticeBefore(group, cause, notBefore));
            startRules.plan(group, Event.accepted(parts.get(i).event(), work), notBefore);
        }
        new PlannedDates(context).told(touched);
        touched.forEach(affected -> startRules.settle(affected.group(), Actor.SERVICE));
    }

    /**
     * When a unit starts so that its machines get their notice: all of it, even if the unit is looked at a moment late. But moments do
     * not add up, and a date that was told just now is kept.
     */
    private Instant noticed(
            RolloutUnitId id,
            RolloutPacing own,
            boolean moves,
            Cause cause,
            List<AffectedMachines> touched,
            Instant starts,
            boolean moved) {
        Instant due = UpcomingUnits.unit(changes, id).turn().due();
        boolean slipped = !moves
                && due.isBefore(starts)
                && !starts.isAfter(due.plus(context.terms().tolerance()));
        Instant notBefore = starts;
        for (GroupId group : TurnRules.groups(touched)) {
            Instant all = context.now().plus(own.notice(group, cause));
            boolean mayHaveAll = !moved && turnRules.maySlip(rollout(), touched, cause, slipped ? due : starts, all);
            Instant noticed = StartRules.wholeSecond(
                    mayHaveAll ? all : context.now().plus(own.noticeBefore(group, cause, starts)));
            if (context.enabled(group) && noticed.isAfter(notBefore)) {
                notBefore = noticed;
            }
        }
        return notBefore;
    }

    /** Its owners did it, or its machines were worked on elsewhere. */
    private void done(RolloutUnitId id) {
        changes.put(unitRules.chunk(id).with(id.unit(), RolloutUnit.State.DONE));
        changes.put(rollout().counted(0, 1, 0, 0));
    }

    /** Those who can read their events now. A machine that has failed gets its own when it is back, and the others do not wait for it. */
    private List<AffectedMachines> readers(List<AffectedMachines> touched) {
        List<AffectedMachines> readers = new ArrayList<>();
        for (AffectedMachines affected : touched) {
            GroupState state = changes.state(affected.group());
            List<Event> failures = pacing.failures(affected);
            List<Machine> machines = affected.machines().stream()
                    .filter(m -> failures.stream().noneMatch(failure -> failure.lists(m.name())))
                    .filter(m -> !context.blockers().machines().isBeingTaken(state, m.name()))
                    .toList();
            if (!machines.isEmpty()) {
                readers.add(new AffectedMachines(affected.group(), affected.updateDomain(), machines));
            }
        }
        return readers;
    }

    /** A group shows so many events at most, and machines that are gone or down cannot read any; a unit shows all of its own or none. */
    private Optional<BlockedUnit> hidden(RolloutUnitId id, List<AffectedMachines> touched) {
        for (AffectedMachines affected : touched) {
            GroupState state = changes.state(affected.group());
            long planned = state.events().stream()
                    .filter(e -> e.work().cause().planned())
                    .count();
            if (state.events().size() >= ScheduleRules.MOST_OPEN_EVENTS
                    || planned >= ScheduleRules.mostPlanned(spec.rehearsal())) {
                return Optional.of(BlockedUnit.forGroup(
                        id,
                        affected.group(),
                        null,
                        "group " + affected.group() + " has as many open events as it may"));
            }
            if (!pacing.failures(affected).isEmpty()) {
                return Optional.of(BlockedUnit.forGroup(
                        id,
                        affected.group(),
                        null,
                        "a machine of group " + affected.group() + " has failed and gets its event when it is back"));
            }
            if (affected.machines().stream()
                    .anyMatch(m -> context.blockers().machines().isBeingTaken(state, m.name()))) {
                return Optional.of(BlockedUnit.forGroup(
                        id, affected.group(), null, "a machine of group " + affected.group() + " is being taken away"));
            }
        }
        return Optional.empty();
    }
}
