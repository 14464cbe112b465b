package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Transition;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitRun;
import io.forewarn.core.rules.Command.Cancel;
import io.forewarn.core.rules.Command.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** From started to finished: what drivers report, and what people cancel. */
final class CompletionRules {
    private final DecisionContext context;
    private final RolloutUnitRules unitRules;

    CompletionRules(DecisionContext context) {
        this.context = context;
        this.unitRules = new RolloutUnitRules(context);
    }

    CommandResult told(Told told) {
        Optional<GroupId> group = context.changes().groupOf(told.event());
        if (group.isEmpty()) {
            return CommandResult.NOTHING;
        }
        Event event = context.changes().state(group.get()).event(told.event()).orElseThrow();
        if (event.phase() != Phase.STARTED || event.attempt().attempt() != told.attempt()) {
            return CommandResult.NOTHING;
        }
        switch (told.report()) {
            case DONE, FAILED, TIMED_OUT -> endAll(group.get(), event, told);
            case UNKNOWN -> again(group.get(), event, told);
            case RUNNING -> {
                // It continues; nothing to record.
            }
        }
        return CommandResult.of(List.of(told.event()));
    }

    /** The events of one unit of work end together. */
    private void endAll(GroupId group, Event event, Told told) {
        boolean done = told.report() == DriverReport.DONE;
        List<Part> parts = unitRules.parts(group, event);
        boolean shared =
                parts.stream().map(part -> part.group().tenant()).distinct().count() > 1;
        // What the driver says may name machines of any tenant on the host; only the rollout itself keeps it.
        Told toTenants = shared && !told.detail().isEmpty()
                ? new Told(told.event(), told.attempt(), told.report(), "see the rollout")
                : told;
        Optional<ActiveUnit> open = Optional.ofNullable(event.work().unit()).flatMap(context.changes()::open);
        UnitRun run = open.filter(ActiveUnit::hasStarted).map(unitRules::run).orElse(null);
        parts.forEach(part -> end(part.group(), unitRules.event(part), toTenants));
        open.ifPresent(unit -> {
            RolloutUnit.State next = done
                    ? (unit.moves() ? RolloutUnit.State.PENDING : RolloutUnit.State.DONE)
                    : RolloutUnit.State.FAILED;
            if (done && unit.moves()) {
                evacuated(unit.tie());
            }
            unitRules.close(unit, next, done ? "" : failure(told), run);
            unitRules.ended(unit.tie(), next, told.detail());
        });
        parts.forEach(part -> new StartRules(context).settle(part.group(), told.actor()));
    }

    /** The next evacuation of its host, or the work itself, comes next. */
    private void evacuated(RolloutUnitId id) {
        Turn turn = UpcomingUnits.unit(context.changes(), id).turn();
        if (turn != null && !turn.evacuations().isEmpty()) {
            List<Instant> rest =
                    turn.evacuations().subList(1, turn.evacuations().size());
            context.changes().put(unitRules.chunk(id).with(id.unit(), turn.evacuatedAt(rest)));
        }
    }

    /**
     * Ends a rehearsal and its whole unit, because real work affects one of its machines.
     *
     * @param real what ends it, for the history of its group
     * @return the parts of the unit, whose groups the caller must settle
     */
    List<Part> endRehearsal(GroupId group, Event event, String real, Actor actor) {
        List<Part> parts = unitRules.parts(group, event);
        Optional<ActiveUnit> open = Optional.ofNullable(event.work().unit()).flatMap(context.changes()::open);
        UnitRun run = open.filter(ActiveUnit::hasStarted).map(unitRules::run).orElse(null);
        for (Part part : parts) {
            Event each = unitRules.event(part);
            boolean hit = part.event().equals(event.id());
            Transition transition = each.shared() ? Transition.REHEARSAL_ENDED : Transition.REHEARSAL_ENDED_UNSEEN;
            String why = hit ? "by " + real : "the host's work was called off";
            context.lifecycle()
                    .apply(part.group(), transition, each, null, RolloutUnitRules.toldTo(part, group, actor), why);
            mark(part.group(), each);
        }
        open.ifPresent(unit -> {
            unitRules.close(unit, RolloutUnit.State.DONE, "", run);
            unitRules.ended(unit.tie(), RolloutUnit.State.DONE, "");
        });
        return parts;
    }

    private static String failure(Told told) {
        return told.report() == DriverReport.TIMED_OUT ? ("took too long. " + told.detail()).strip() : told.detail();
    }

    private void end(GroupId group, Event event, Told told) {
        boolean done = told.report() == DriverReport.DONE;
        Transition transition = event.shared()
                ? (done ? Transition.COMPLETED : Transition.FAILED)
                : (done ? Transition.COMPLETED_UNSEEN : Transition.FAILED_UNSEEN);
        String detail = failure(told);
        Set<EventId> earlier = requestedBefore(group, event);
        context.lifecycle().apply(group, transition, event, null, told.actor(), detail);
        if (event.work().cause().planned()) {
            GroupState state = context.changes().state(group);
            context.changes()
                    .put(
                            event.work().rehearsal()
                                    ? state.rehearsed(event.work().updateDomain(), context.now())
                                    : state.down(down(group, event)));
        }
        if (!event.work().rehearsal()) {
            for (String machine : context.present(group, event)) {
                after(group, new MachineId(group.tenant(), machine), event, done, detail, earlier);
            }
        }
        if (done) {
            mark(group, event);
        }
    }

    /** Open events are in the order in which they were accepted. Times may be equal, so they do not tell what came first. */
    private Set<EventId> requestedBefore(GroupId group, Event event) {
        return context.changes().state(group).events().stream()
                .map(Event::id)
                .takeWhile(id -> !id.equals(event.id()))
                .collect(Collectors.toSet());
    }

    /** A rollout over machines, not over hosts, remembers on which of them it worked, wherever they go meanwhile. */
    private void mark(GroupId group, Event event) {
        if (unitRules
                .rollout(event)
                .filter(r -> r.spec().target().kind() != RolloutTarget.Kind.HOSTS)
                .isEmpty()) {
            return;
        }
        MachineCondition.RolloutMark mark =
                new MachineCondition.RolloutMark(event.work().rollout(), context.now());
        for (String machine : context.present(group, event)) {
            MachineCondition was = context.changes().condition(new MachineId(group.tenant(), machine));
            context.changes().put(was.marked(mark, event.work().rehearsal()));
        }
    }

    /** Machines that polled in the day before the work began must poll again before another domain goes down. */
    static boolean mustPollAgain(Instant lastPoll, Instant startedAt) {
        return lastPoll.isAfter(startedAt.minus(Duration.ofHours(24)));
    }

    private GroupState.Down down(GroupId group, Event event) {
        Map<String, Instant> awaited = stillAwaited(group);
        if (event.work().cause().rolledOut()) {
            for (String machine : context.present(group, event)) {
                Instant lastPoll = context.changes().lastPoll(new MachineId(group.tenant(), machine));
                if (mustPollAgain(lastPoll, event.attempt().startedAt())) {
                    awaited.putIfAbsent(machine, context.now());
                }
            }
        }
        return new GroupState.Down(event.work().updateDomain(), context.now(), awaited);
    }

    /** Machines that have not polled since earlier work, each with the time when that ended: one is not awaited longer for later work. */
    private Map<String, Instant> stillAwaited(GroupId group) {
        Map<String, Instant> awaited = new HashMap<>();
        GroupState.Down last = context.changes().state(group).lastDown();
        if (last != null) {
            last.awaited().forEach((machine, since) -> {
                if (context.changes()
                        .lastPoll(new MachineId(group.tenant(), machine))
                        .isBefore(since)) {
                    awaited.put(machine, since);
                }
            });
        }
        return awaited;
    }

    private void after(
            GroupId group, MachineId machine, Event event, boolean done, String detail, Set<EventId> earlier) {
        MachineCondition was = context.changes().condition(machine);
        Cause cause = event.work().cause();
        // Whatever the outcome of the work it joined, the spot machine is preempted.
        boolean joined = event.joined().get(machine.name()) == Cause.PREEMPT;
        if (!done && !joined) {
            context.changes().put(was.now(MachineCondition.State.FAILED, context.now(), detail));
            mendAfterPause(group, machine, event);
            return;
        }
        if (cause == Cause.FAILURE) {
            dropRestarts(group, machine, event, earlier);
        }
        boolean taken = cause == Cause.PREEMPT || joined;
        if (cause == Cause.TERMINATE || taken) {
            dropOthers(group, machine, event);
            new CancelledDates(context).of(machine, event, taken ? "preempted" : "deleted");
        }
        if (cause == Cause.TERMINATE) {
            context.changes().change(FleetRules.deleted(context.changes(), machine));
            unitRules.leave(group, machine.name(), event);
            return;
        }
        if (was.staysFailed(event.type()) && !taken) {
            mendAfterPause(group, machine, event);
            return;
        }
        MachineCondition.State state = taken ? MachineCondition.State.TAKEN : MachineCondition.State.RUNNING;
        MachineCondition now = was.now(state, context.now(), "");
        if (event.type() != EventType.FREEZE && !taken) {
            now = now.booted();
        }
        MachineCondition.Move move = was.move();
        if (event.type() == EventType.REDEPLOY && move != null && move.ended() == null) {
            now = now.moving(move.done(context.now()));
            context.changes().put(now);
            new CancelledDates(context).ofMoved(machine);
        }
        context.changes().put(now);
        if (taken) {
            unitRules.leave(group, machine.name(), event);
        } else {
            mendAfterPause(group, machine, event);
        }
    }

    /** A pause mends nothing: a failure that came meanwhile is handled now. */
    private void mendAfterPause(GroupId group, MachineId machine, Event event) {
        if (event.type() != EventType.FREEZE || event.joined().get(machine.name()) != Cause.FAILURE) {
            return;
        }
        Work work = new Work(
                Cause.FAILURE,
                List.of(machine.name()),
                context.changes().machine(machine).orElseThrow().updateDomain(),
                Duration.ZERO,
                Cause.FAILURE.description(),
                context.terms().interruption().get(EventType.REBOOT),
                context.now(),
                null,
                false);
        new StartRules(context).accept(group, Event.accepted(context.ids().get(), work), Actor.SERVICE);
    }

    /** Handling the failure restarted the machine, as its owner had requested before. */
    private void dropRestarts(GroupId group, MachineId machine, Event failure, Set<EventId> earlier) {
        for (Event event : context.changes().state(group).events()) {
            if (earlier.contains(event.id())
                    && event.work().cause() == Cause.RESTART
                    && event.work().unit() == null
                    && event.phase() != Phase.STARTED
                    && !event.work().rehearsal()
                    && event.lists(machine.name())) {
                drop(group, event, "restarted by " + failure.id());
            }
        }
    }

    /** Cancels the other work on a machine that is gone. */
    private void dropOthers(GroupId group, MachineId machine, Event ended) {
        for (Event event : context.changes().state(group).events()) {
            if (event.work().unit() == null && event.phase() != Phase.STARTED && event.lists(machine.name())) {
                drop(group, event, "by " + ended.id());
            }
        }
    }

    private void drop(GroupId group, Event event, String why) {
        Transition transition =
                event.phase() == Phase.WAITING ? Transition.SUPERSEDED_WHILE_WAITING : Transition.SUPERSEDED;
        context.lifecycle().apply(group, transition, event, null, Actor.SERVICE, why);
    }

    /** The driver does not know the task, so it may be started again: design §8, promise 7. */
    private void again(GroupId group, Event event, Told told) {
        StartAttempt claim = new StartAttempt(
                event.attempt().startedAt(),
                event.attempt().attempt() + 1,
                context.changes().epoch());
        context.lifecycle()
                .apply(
                        group,
                        Transition.TRIED_AGAIN,
                        event,
                        event.attempted(claim),
                        told.actor(),
                        "attempt " + claim.attempt());
        context.changes().start(event.id());
    }

    CommandResult cancel(Cancel cancel) {
        ReasonCheck.check(cancel.reason());
        GroupId group = context.changes().groupOf(cancel.event()).orElseThrow(() -> NotFound.event(cancel.event()));
        Event event = context.changes().state(group).event(cancel.event()).orElseThrow();
        if (event.phase() == Phase.STARTED) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "event " + event.id() + " started at " + event.attempt().startedAt()
                            + "; only what has not started can be cancelled");
        }
        Transition transition = event.phase() == Phase.WAITING
                ? Transition.CANCELLED_WHILE_WAITING
                : event.shared() ? Transition.CANCELLED : Transition.CANCELLED_UNSEEN;
        // Others on its host may have been told a date only, for work that comes after an evacuation.
        Optional.ofNullable(event.work().unit())
                .ifPresent(id -> new CancelledDates(context).of(id, "the host's work was called off"));
        // The other groups of its unit learn that it was called off, but not the reason, which may be another tenant's.
        context.lifecycle().apply(group, transition, event, null, cancel.actor(), "", cancel.reason());
        List<Part> calledOff = unitRules.callOff(group, event, RolloutUnit.State.SKIPPED, cancel.actor());
        Optional.ofNullable(event.work().unit())
                .ifPresent(rolloutUnitId -> unitRules.ended(rolloutUnitId, RolloutUnit.State.SKIPPED, "cancelled"));
        if (calledOff.isEmpty()) {
            new StartRules(context).settle(group, cancel.actor());
        }
        unitRules.settle(calledOff, Actor.SERVICE);
        return CommandResult.of(List.of(event.id()));
    }
}
