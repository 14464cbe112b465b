package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Rollout;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds what keeps an event from starting because of other work on its machines: which of the two goes first, and which ends the other. */
final class MachineBlockers {
    private final StartBlockers blockers;
    private final StateReader facts;
    private final ServiceTerms terms;
    private final Instant now;

    MachineBlockers(StartBlockers blockers, StateReader facts, ServiceTerms terms, Instant now) {
        this.blockers = blockers;
        this.facts = facts;
        this.terms = terms;
        this.now = now;
    }

    /** Never two started events on one machine; and what cannot wait for a rollout goes before it: contract §5. */
    Optional<StartBlocker> of(GroupState state, Event event) {
        for (Event other : state.events()) {
            if (other.id().equals(event.id()) || !shareMachine(other, event)) {
                continue;
            }
            if (other.phase() == Phase.STARTED && !endsRehearsal(event, other)) {
                return Optional.of(underWay(other));
            }
            if (goesFirst(state.group(), other, event)
                    || isDueUnit(other, event)
                    || isLateAfter(event, other)
                    || endsAtOnce(state.group(), other, event)) {
                return Optional.of(goesBefore(other));
            }
        }
        return isAsked(event) ? delayedUnit(state.group(), event) : Optional.empty();
    }

    private static boolean isAsked(Event event) {
        return event.work().cause().source() == EventSource.USER
                && !event.work().rehearsal();
    }

    /**
     * A unit of a rollout that is still to come on the machine, and would be delayed by what an owner asks for, although that was asked
     * for only after its original turn, or would make it too late. Otherwise an owner could delay it again before each of its turns.
     */
    private Optional<StartBlocker> delayedUnit(GroupId group, Event asked) {
        if (!isInUnitToCome(group, asked)) {
            return Optional.empty();
        }
        Instant ends = now.plus(WorkEstimates.takes(facts, terms, asked.work()));
        UpcomingUnits units = new UpcomingUnits(facts, terms);
        return units.in(group).stream()
                .filter(unit -> unit.rollout().status() == Rollout.Status.RUNNING
                        && !unit.rollout().spec().rehearsal()
                        && isToCome(unit)
                        && ends.isAfter(unit.at().plus(terms.tolerance())))
                .filter(unit -> !asked.askedAt()
                                .isBefore(UpcomingUnits.unit(facts, unit.unit())
                                        .turn()
                                        .due())
                        || unit.rollout().spec().isTooLate(ends))
                .filter(unit -> asked.resources().stream()
                        .flatMap(name -> facts.machine(new MachineId(group.tenant(), name)).stream())
                        .anyMatch(machine -> units.isIn(unit, machine)))
                .min(Comparator.comparing(UpcomingUnits.Upcoming::at))
                .map(unit -> StartBlocker.unknownEnd(
                        "work of rollout " + unit.rollout().name() + " on the same machine, planned for " + unit.at()
                                + ", comes first",
                        unit.at().isAfter(now)
                                ? unit.at()
                                : unit.at().plus(terms.tolerance()).plusSeconds(1)));
    }

    /** A unit that no machine is shown is opened only when its turn has come; see isDueUnit for one that is open. */
    private boolean isToCome(UpcomingUnits.Upcoming unit) {
        return unit.at().isAfter(now)
                || facts.open(unit.unit()).isEmpty()
                        && !unit.at().plus(terms.tolerance()).isBefore(now);
    }

    /** Whether a rollout is to work on a machine of an event: to look at all units of its group takes longer. */
    private boolean isInUnitToCome(GroupId group, Event asked) {
        return facts.rollouts().stream()
                .filter(rollout -> rollout.status() == Rollout.Status.RUNNING)
                .anyMatch(rollout -> asked.resources().stream()
                        .flatMap(name -> facts.machine(new MachineId(group.tenant(), name)).stream())
                        .map(machine -> facts.unitNumber(
                                rollout.name(), rollout.spec().target().unitOf(machine)))
                        .anyMatch(number -> number.isPresent()
                                && UpcomingUnits.unit(facts, new RolloutUnitId(rollout.name(), number.getAsInt()))
                                        .isAhead()));
    }

    static StartBlocker underWay(Event other) {
        return new StartBlocker("event " + other.id() + " of the same machine is under way", null);
    }

    StartBlocker goesBefore(Event other) {
        Instant starts = other.noticePeriod() == null || other.isApproved()
                ? now
                : other.noticePeriod().notBefore();
        boolean later = starts.isAfter(now);
        return StartBlocker.unknownEnd(
                "event " + other.id() + " of the same machine" + (later ? ", which starts at " + starts + "," : "")
                        + " comes first",
                later ? starts : null);
    }

    /** A rehearsal carries no real work and never stands in its way. */
    static boolean endsRehearsal(Event real, Event rehearsal) {
        return rehearsal.work().rehearsal() && !real.work().rehearsal();
    }

    /**
     * Whether real work that ends a rehearsal can start at this very moment. The rehearsal starts afterwards: if it started first, it would be
     * over before any machine could read that it had started.
     */
    private boolean endsAtOnce(GroupId group, Event real, Event rehearsal) {
        if (!endsRehearsal(real, rehearsal)
                || real.phase() != Phase.SCHEDULED
                || rehearsal.phase() != Phase.SCHEDULED) {
            return false;
        }
        Optional<ActiveUnit> unit = Optional.ofNullable(real.work().unit()).flatMap(facts::open);
        List<Part> parts = unit.map(ActiveUnit::parts).orElseGet(() -> List.of(new Part(group, real.id())));
        return parts.stream().allMatch(part -> isDue(part) && isFreeOfOthers(part))
                && unit.map(active ->
                                new UnitMachines(facts, active).unannounced().isEmpty())
                        .orElse(true);
    }

    private boolean isFreeOfOthers(Part part) {
        GroupState state = facts.state(part.group());
        return of(state, state.event(part.event()).orElseThrow()).isEmpty();
    }

    /**
     * Whether planned work waits for another event of its machine. It waits for what an owner asked for, or what is
     * urgent, if that is to start within the shortest notice there is: who asks for more, or does not let it start, must not hold
     * work that concerns others too. Nor must one who asks again and again, so what an owner asks for once the planned work
     * may start comes after it. A single freeze waits for what was asked for before it only if that starts before the freeze is over.
     */
    private boolean goesFirst(GroupId group, Event other, Event planned) {
        if (planned.work().unit() == null
                && !other.askedAt().isAfter(planned.work().acceptedAt())) {
            Instant over = now.plus(WorkEstimates.takes(facts, terms, planned.work()));
            return goesFirst(group, other, planned, over.plusNanos(1));
        }
        Duration shortest = other.type() == EventType.TERMINATE
                ? terms.longestTerminateNotice()
                : terms.minimumNotice(other.type());
        return goesFirst(group, other, planned, now.plus(shortest).plusNanos(1));
    }

    /** The same for what is to start before a given time. */
    boolean goesFirst(GroupId group, Event other, Event planned, Instant before) {
        Cause cause = other.work().cause();
        if (!planned.work().cause().planned()
                || planned.phase() != Phase.SCHEDULED
                || other.phase() != Phase.SCHEDULED
                || other.work().rehearsal()
                || cause.planned()
                || !cause.overrides() && !other.askedAt().isBefore(StartBlockers.due(facts, planned))
                || isTooLong(other, planned)) {
            return false;
        }
        Instant starts = other.noticePeriod().notBefore();
        if (other.isApproved() || !starts.isAfter(now)) {
            return blockers.own(group, other).isEmpty();
        }
        return starts.isBefore(before);
    }

    /** Whether a unit could not start in time if what an owner asked for started now, and starts before that would be over. */
    private boolean isLateAfter(Event asked, Event unit) {
        return unit.phase() == Phase.SCHEDULED
                && !unit.work().rehearsal()
                && asked.phase() != Phase.STARTED
                && !asked.work().rehearsal()
                && blockers.rollout(unit)
                        .filter(r -> r.status() == Rollout.Status.RUNNING)
                        .isPresent()
                && isTooLong(asked, unit)
                && unit.noticePeriod().notBefore().isBefore(now.plus(WorkEstimates.takes(facts, terms, asked.work())));
    }

    /** Whether a unit that waited for what an owner asked for would be too late, which would halt its whole rollout. */
    private boolean isTooLong(Event asked, Event planned) {
        // One that is not scheduled yet starts at once if it may, because a policy approves it in advance.
        Instant date = asked.noticePeriod() == null ? now : asked.noticePeriod().notBefore();
        Instant starts = asked.isApproved() || date.isBefore(now) ? now : date;
        Instant ends = starts.plus(WorkEstimates.takes(facts, terms, asked.work()));
        return asked.work().cause().source() == EventSource.USER
                && blockers.rollout(planned)
                        .filter(r -> r.spec().isTooLate(ends))
                        .isPresent();
    }

    /**
     * Whether an owner's event waits for a unit of a rollout, because it was asked for when the unit could have started but for other
     * work on its machines. Otherwise an owner of two machines of one host could hold it for ever by restarting them in turns.
     */
    private boolean isDueUnit(Event unit, Event asked) {
        if (unit.work().unit() == null
                || unit.phase() != Phase.SCHEDULED
                || unit.work().rehearsal()
                || asked.work().cause().source() != EventSource.USER
                || asked.askedAt().isBefore(StartBlockers.due(facts, unit))) {
            return false;
        }
        Optional<ActiveUnit> active = facts.open(unit.work().unit());
        return active.isPresent()
                && active.get().parts().stream().allMatch(this::isDue)
                && new UnitMachines(facts, active.get()).unannounced().isEmpty();
    }

    /**
     * Approved or past its NotBefore, and held by nothing but other work on its machines. Whether another unit starts at this very
     * moment is not asked: that would have to ask this in turn.
     */
    private boolean isDue(Part part) {
        Event event = facts.state(part.group()).event(part.event()).orElseThrow();
        return event.phase() == Phase.SCHEDULED
                && (event.isApproved() || blockers.isInTime(event))
                && blockers.stopped(event).isEmpty()
                && new TurnBlockers(facts, terms, now)
                        .ofTimesAndDates(part.group(), event)
                        .isEmpty()
                && blockers.domains().of(facts.state(part.group()), event).isEmpty()
                && blockers.outsideWindows(event).isEmpty()
                && PolicyResolver.hold(facts, event, part.group(), terms, now).isEmpty();
    }

    /** Whether a machine is about to be taken away, or being taken: it is nobody's any more. */
    boolean isBeingTaken(GroupState state, String machine) {
        Instant soon = now.plus(terms.minimumNotice(EventType.PREEMPT));
        return state.events().stream()
                .filter(e -> e.lists(machine) && !e.work().rehearsal())
                .anyMatch(e -> e.phase() == Phase.STARTED
                        ? e.work().cause() == Cause.PREEMPT || e.joined().get(machine) == Cause.PREEMPT
                        : e.work().cause() == Cause.PREEMPT
                                && e.noticePeriod() != null
                                && !e.noticePeriod().notBefore().isAfter(soon));
    }

    /**
     * Whether an event may be announced. Planned work waits for every other event of its machine's own, for what waits before it, and
     * for what an owner asked for, unless that comes later anyway or its owner does not let it start; a rehearsal waits for what is announced; what an owner
     * asks for waits for nothing but what was asked for before. Events of rollouts are in nobody's way, and rehearsals in the way of no
     * real work.
     */
    boolean isFree(GroupState state, Event event) {
        return inTheWay(state, event).isEmpty();
    }

    Optional<Event> inTheWay(GroupState state, Event event) {
        if (event.work().cause().overrides() || event.work().unit() != null) {
            return Optional.empty();
        }
        boolean planned = event.work().cause().planned();
        boolean earlier = planned;
        for (Event other : state.events()) {
            if (other.id().equals(event.id())) {
                earlier = false;
            } else if (other.work().unit() == null
                    && shareMachine(other, event)
                    && !endsRehearsal(event, other)
                    && !(planned && isNotAwaited(state.group(), other, event))) {
                boolean asked = other.work().cause().source() == EventSource.USER;
                boolean announced = other.phase() != Phase.WAITING
                        && (planned || event.work().rehearsal() || asked);
                if (announced || earlier || planned && asked) {
                    return Optional.of(other);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether planned work need not wait for what an owner asked for. */
    private boolean isNotAwaited(GroupId group, Event asked, Event planned) {
        if (asked.work().cause().source() != EventSource.USER
                || asked.phase() != Phase.SCHEDULED
                || planned.work().rehearsal()) {
            return false;
        }
        Instant starts = asked.noticePeriod().notBefore();
        Instant over = now.plus(planned.work().notice()).plus(WorkEstimates.takes(facts, terms, planned.work()));
        boolean held = !starts.isAfter(now)
                && PolicyResolver.hold(facts, asked, group, terms, now).isPresent();
        return held || starts.isAfter(over);
    }

    private static boolean shareMachine(Event a, Event b) {
        return a.resources().stream().anyMatch(b::lists);
    }
}
