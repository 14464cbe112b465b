package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rules.Command.Roll;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Opens units of a rollout whose groups are all free. A unit takes the slots of all its groups at once or none, so that no
 * two units can wait for each other. For a unit that cannot be opened it reports what blocks it.
 */
final class RolloutOpener {
    /** How many events are made by one command, so that other commands pass in between. */
    private static final int PARTS_PER_COMMAND = 20;

    /** How soon a unit without a common window is looked at again: a policy may have changed. */
    private static final Duration NO_WINDOW = Duration.ofHours(1);

    private final DecisionContext context;
    private final ChangeSet changes;
    private final String name;
    private final RolloutSpec spec;
    private final RolloutPartitioner partitioner;
    private final RolloutPacing pacing;
    private final Supplier<EventId> ids;

    /** In which fault domains something is open; null before it was looked at. */
    private Set<Integer> openFaultDomains;

    private RolloutOpener(DecisionContext context, Rollout rollout, Supplier<EventId> ids) {
        this.context = context;
        this.changes = context.changes();
        this.name = rollout.name();
        this.spec = rollout.spec();
        this.partitioner = new RolloutPartitioner(changes, spec);
        this.pacing = new RolloutPacing(changes, context.terms(), spec, context.now());
        this.ids = ids;
    }

    /** Opens what may be opened; answers how many of the units were looked at. */
    static CommandResult roll(DecisionContext context, Roll roll, Supplier<EventId> ids) {
        Rollout rollout = context.changes().rollout(roll.rollout()).orElse(null);
        if (rollout != null && rollout.status() == Status.ABORTED) {
            new RolloutRules(context).callOffSome(roll.rollout(), Actor.SERVICE);
        }
        return rollout == null || rollout.status() != Status.RUNNING
                ? CommandResult.NOTHING
                : new RolloutOpener(context, rollout, ids).roll(roll.units());
    }

    private CommandResult roll(List<Integer> units) {
        int looked = 0;
        int parts = 0;
        while (looked < units.size() && parts < PARTS_PER_COMMAND && rollout().hasRoom()) {
            parts += look(new RolloutUnitId(name, units.get(looked++)));
        }
        new RolloutUnitRules(context).judgeRest(name);
        return new CommandResult(List.of(), looked);
    }

    private Rollout rollout() {
        return changes.rollout(name).orElseThrow();
    }

    /** In how many parts a unit was opened; 0 if it was not. */
    private int look(RolloutUnitId rolloutUnitId) {
        RolloutUnit unit = new RolloutUnitRules(context).chunk(rolloutUnitId).unit(rolloutUnitId.unit());
        if (unit.state() != RolloutUnit.State.PENDING) {
            return 0;
        }
        List<AffectedMachines> all = partitioner.of(unit.name(), rollout());
        if (all.isEmpty() && partitioner.isDone(unit.name(), rollout())) {
            done(rolloutUnitId);
            return 0;
        }
        List<AffectedMachines> moving = pacing.toMove(all);
        boolean moves = !moving.isEmpty();
        Optional<String> unfit = all.isEmpty()
                ? Optional.of("no machine is on or in " + unit.name() + " at present")
                : spec.evacuate() ? Optional.empty() : RolloutFinalizer.crowded(unit.name(), all, moving);
        if (unfit.isPresent()) {
            changes.put(BlockedUnit.forItsTurn(rolloutUnitId, unfit.get()));
            return 0;
        }
        Cause cause = moves ? Cause.HOST_REDEPLOY : spec.cause();
        List<AffectedMachines> touched = moves ? moving : all;
        Optional<BlockedUnit> waits = inTheWay(rolloutUnitId, touched);
        if (waits.isPresent()) {
            changes.put(waits.get());
            return 0;
        }
        List<Duration> notices =
                touched.stream().map(s -> pacing.notice(s.group(), cause)).toList();
        Instant noticed = context.now().plus(Collections.max(notices));
        Instant rested = pacing.rested(touched);
        // All groups of a unit start together, so they need a moment that suits all of them.
        Optional<Instant> common = WindowSearch.earliest(
                StartRules.wholeSecond(rested.isAfter(noticed) ? rested : noticed),
                pacing.calendars(touched, cause, context.now()));
        if (common.isEmpty()) {
            changes.put(BlockedUnit.forTime(rolloutUnitId, context.now().plus(NO_WINDOW), RolloutFinalizer.NO_WINDOW));
            return 0;
        }
        open(rolloutUnitId, moves, cause, touched, notices, common.get());
        return touched.size();
    }

    private void open(
            RolloutUnitId rolloutUnitId,
            boolean moves,
            Cause cause,
            List<AffectedMachines> touched,
            List<Duration> notices,
            Instant notBefore) {
        List<ActiveUnit.Part> parts = new ArrayList<>();
        touched.forEach(affected -> parts.add(new ActiveUnit.Part(affected.group(), ids.get())));
        changes.put(new ActiveUnit(rolloutUnitId, moves, parts));
        changes.put(
                new RolloutUnitRules(context).chunk(rolloutUnitId).with(rolloutUnitId.unit(), RolloutUnit.State.OPEN));
        changes.put(rollout().counted(1, 0, 0, 0));
        openFaultDomains = RolloutPacing.faultDomains(touched);
        StartRules startRules = new StartRules(context);
        for (int i = 0; i < touched.size(); i++) {
            AffectedMachines affected = touched.get(i);
            Work work = pacing.work(rolloutUnitId, cause, affected, notices.get(i));
            startRules.plan(affected.group(), Event.accepted(parts.get(i).event(), work), notBefore);
        }
        touched.forEach(affected -> startRules.settle(affected.group(), Actor.SERVICE));
    }

    /** Its owners did it, or its machines were worked on elsewhere. */
    private void done(RolloutUnitId rolloutUnitId) {
        changes.put(
                new RolloutUnitRules(context).chunk(rolloutUnitId).with(rolloutUnitId.unit(), RolloutUnit.State.DONE));
        changes.put(rollout().counted(0, 1, 0, 0));
    }

    private Optional<BlockedUnit> inTheWay(RolloutUnitId rolloutUnitId, List<AffectedMachines> touched) {
        Instant selfService = spec.selfServiceUntil();
        if (selfService != null && selfService.isAfter(context.now())) {
            return Optional.of(BlockedUnit.forTime(
                    rolloutUnitId, selfService, "owners may do it themselves until " + selfService));
        }
        for (AffectedMachines affected : touched) {
            Optional<BlockedUnit> waits = inTheWay(rolloutUnitId, affected);
            if (waits.isPresent()) {
                return waits;
            }
        }
        return otherFaultDomain(rolloutUnitId, touched);
    }

    /** All slots at once or none. */
    private Optional<BlockedUnit> inTheWay(RolloutUnitId rolloutUnitId, AffectedMachines affected) {
        GroupState state = changes.state(affected.group());
        for (Event event : state.events()) {
            if (event.work().rehearsal() && !spec.rehearsal()) {
                // The real work ends it.
                continue;
            }
            if (event.work().unit() == null
                    && event.phase() != Phase.STARTED
                    && affected.machines().stream()
                            .noneMatch(m ->
                                    event.lists(m.name()) && context.blockers().isBeingTaken(state, m.name()))) {
                // Once announced, the rollout's event waits for it if it must; see StartBlockers.
                continue;
            }
            if (event.work().cause().planned() && event.work().updateDomain() != affected.updateDomain()) {
                return Optional.of(BlockedUnit.forGroup(
                        rolloutUnitId,
                        affected.group(),
                        null,
                        "update domain " + event.work().updateDomain() + " of group " + affected.group()
                                + " comes first"));
            }
            if (affected.machines().stream().anyMatch(m -> event.lists(m.name()))) {
                return Optional.of(BlockedUnit.forGroup(
                        rolloutUnitId,
                        affected.group(),
                        null,
                        "event " + event.id() + " of group " + affected.group() + " comes first"));
            }
        }
        long rolledOut =
                state.events().stream().filter(e -> e.work().unit() != null).count();
        if (state.events().size() >= ScheduleRules.MOST_OPEN_EVENTS || rolledOut >= ScheduleRules.MOST_ROLLED_OUT) {
            return Optional.of(BlockedUnit.forGroup(
                    rolloutUnitId,
                    affected.group(),
                    null,
                    "group " + affected.group() + " has as many open events as it may"));
        }
        return context.blockers()
                .unhealthy(state, affected.updateDomain())
                .map(blocker -> BlockedUnit.forGroup(rolloutUnitId, affected.group(), blocker.until(), blocker.why()));
    }

    /** Where one fault domain is worked on at a time, all that is open lies in the same: any of it tells which. */
    private Optional<BlockedUnit> otherFaultDomain(RolloutUnitId rolloutUnitId, List<AffectedMachines> touched) {
        if (spec.atOnce().kind() != ConcurrencyLimit.Kind.FAULT_DOMAIN
                || rollout().open() == 0) {
            return Optional.empty();
        }
        if (openFaultDomains == null) {
            openFaultDomains = new RolloutUnitRules(context)
                    .faultDomains(changes.open(name).iterator().next());
        }
        Set<Integer> together = RolloutPacing.faultDomains(touched);
        together.addAll(openFaultDomains);
        return together.size() == 1
                ? Optional.empty()
                : Optional.of(BlockedUnit.forItsTurn(rolloutUnitId, "another fault domain comes first"));
    }
}
