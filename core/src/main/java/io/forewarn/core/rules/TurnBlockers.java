package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.UpcomingUnits.Ahead;
import io.forewarn.core.rules.UpcomingUnits.Upcoming;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What keeps a unit of a rollout from starting although its own groups would let it: the times and limits of the rollout, and
 * the dates of others. A unit that is approved may go ahead of its turn, but nobody's date slips because of that.
 */
final class TurnBlockers {
    private final StateReader facts;
    private final ServiceTerms terms;
    private final Instant now;

    TurnBlockers(StateReader facts, ServiceTerms terms, Instant now) {
        this.facts = facts;
        this.terms = terms;
        this.now = now;
    }

    Optional<StartBlocker> of(GroupId group, Event event) {
        return ofTimesAndDates(group, event).or(() -> earlierStartsNow(group, event));
    }

    /** All of them but that another unit starts at this very moment. */
    Optional<StartBlocker> ofTimesAndDates(GroupId group, Event event) {
        RolloutUnitId id = event.work().unit();
        if (id == null) {
            return event.work().cause().planned() ? beforeUnits(group, event) : Optional.empty();
        }
        Optional<ActiveUnit> active = facts.open(id);
        Optional<Rollout> rollout = facts.rollout(id.rollout());
        if (active.isEmpty() || rollout.isEmpty()) {
            return Optional.empty();
        }
        return outsideItsTime(rollout.get())
                .or(() -> full(rollout.get(), active.get()))
                .or(() -> ahead(rollout.get(), active.get(), group, event));
    }

    /**
     * Platform work on a single machine leaves the turns of rollouts in its group where they are, also those that have come: a unit
     * may start a little late and keep its turn.
     */
    private Optional<StartBlocker> beforeUnits(GroupId group, Event event) {
        Instant ends = now.plus(WorkEstimates.takes(facts, terms, event.work()));
        UpcomingUnits units = new UpcomingUnits(facts, terms);
        for (Upcoming next : units.in(group)) {
            RolloutSpec spec = next.rollout().spec();
            boolean otherDomain = next.updateDomain() != event.work().updateDomain();
            boolean concerned = (otherDomain || isSameMachine(units, next, group, event))
                    && !next.at().plus(terms.tolerance()).isBefore(now)
                    && next.rollout().status() == Rollout.Status.RUNNING
                    && (event.work().rehearsal() || !spec.rehearsal());
            Duration rest = otherDomain ? RolloutPacing.recovery(spec, terms) : Duration.ZERO;
            if (concerned && delays(ends, rest, next.at())) {
                // Turns move without a change of the group, so it is looked at again now and then.
                Instant again = now.plus(StartBlockers.LOOK_AGAIN);
                Instant passed = next.at().plusSeconds(1);
                String verb = next.at().isBefore(now) ? " was" : " is";
                return Optional.of(StartBlocker.unknownEnd(
                        (otherDomain ? "update domain " + next.updateDomain() + " of its group" : "its machine") + verb
                                + " to start at " + next.at() + " in rollout "
                                + next.rollout().name(),
                        passed.isAfter(now) && passed.isBefore(again) ? passed : again));
            }
        }
        return Optional.empty();
    }

    private boolean isSameMachine(UpcomingUnits units, Upcoming next, GroupId group, Event event) {
        return event.resources().stream()
                .flatMap(name -> facts.machine(new MachineId(group.tenant(), name)).stream())
                .anyMatch(machine -> units.isIn(next, machine));
    }

    private Optional<StartBlocker> outsideItsTime(Rollout rollout) {
        RolloutSpec spec = rollout.spec();
        if (rollout.isReplanning()) {
            return Optional.of(new StartBlocker("rollout " + rollout.name() + " is being planned again", null));
        }
        if (spec.at() != null && spec.at().isAfter(now)) {
            return Optional.of(new StartBlocker("rollout " + rollout.name() + " begins", spec.at()));
        }
        if (spec.isTooLate(now)) {
            return Optional.of(
                    new StartBlocker("no unit of rollout " + rollout.name() + " starts after " + spec.until(), null));
        }
        if (spec.until() != null
                && now.isAfter(spec.until())
                && !spec.lateCalendar().isOpen(now)) {
            return Optional.of(new StartBlocker(
                    "late units of rollout " + rollout.name() + " wait for its hours",
                    PolicyResolver.open(spec.lateCalendar(), now)));
        }
        return Optional.empty();
    }

    /** Whether a unit waits because as many units as may be are in progress. */
    boolean isFull(ActiveUnit active) {
        return facts.rollout(active.tie().rollout())
                .flatMap(rollout -> full(rollout, active))
                .isPresent();
    }

    private Optional<StartBlocker> full(Rollout rollout, ActiveUnit active) {
        if (!rollout.hasRoom()) {
            return Optional.of(new StartBlocker(
                    "rollout " + rollout.name() + " works on " + rollout.limit()
                            + (rollout.limit() == 1 ? " unit" : " units") + " at once at most",
                    null));
        }
        if (rollout.spec().atOnce().kind() != ConcurrencyLimit.Kind.FAULT_DOMAIN || rollout.started() == 0) {
            return Optional.empty();
        }
        Set<Integer> domains = faultDomains(active);
        // All that are in progress lie in the same, so any of them tells which.
        facts.open(rollout.name()).stream()
                .filter(ActiveUnit::hasStarted)
                .findFirst()
                .ifPresent(other -> domains.addAll(faultDomains(other)));
        return domains.size() > 1
                ? Optional.of(
                        new StartBlocker("another fault domain of rollout " + rollout.name() + " is in progress", null))
                : Optional.empty();
    }

    private Set<Integer> faultDomains(ActiveUnit unit) {
        Set<Integer> domains = new HashSet<>();
        for (ActiveUnit.Part part : unit.parts()) {
            for (String machine : facts.state(part.group())
                    .event(part.event())
                    .map(Event::resources)
                    .orElse(List.of())) {
                facts.machine(new MachineId(part.group().tenant(), machine))
                        .ifPresent(m -> domains.add(m.faultDomain()));
            }
        }
        return domains;
    }

    /**
     * Ahead of its turn, it must be over, and its group recovered, before the next date that was not approved. Approved ones with
     * earlier turns keep their dates, too: they may be approved and still wait for their time.
     */
    private Optional<StartBlocker> ahead(Rollout rollout, ActiveUnit active, GroupId group, Event event) {
        Instant turn = event.noticePeriod().notBefore();
        if (!turn.isAfter(now)) {
            return Optional.empty();
        }
        Instant ends = now.plus(WorkEstimates.takes(facts, terms, event.work()));
        int domain = event.work().updateDomain();
        UpcomingUnits units = new UpcomingUnits(facts, terms);
        for (Upcoming next : units.in(group)) {
            RolloutSpec spec = next.rollout().spec();
            boolean concerned = !next.unit().equals(active.tie())
                    && next.updateDomain() != domain
                    && (event.work().rehearsal() || !spec.rehearsal())
                    && !units.missesItsTurn(next, now);
            if (concerned && delays(ends, RolloutPacing.recovery(spec, terms), next.at())) {
                if (!UpcomingUnits.isApproved(facts, next.unit())) {
                    String other = "update domain " + next.updateDomain() + " of its group";
                    return Optional.of(inTheWay(other, next.at(), turn));
                }
                if (next.at().isBefore(turn)) {
                    return Optional.of(new StartBlocker(comesFirst(next), turn));
                }
            }
        }
        for (Event other : facts.state(group).events()) {
            boolean concerned = other.work().unit() == null
                    && other.work().cause().planned()
                    && other.phase() == Phase.SCHEDULED
                    && !other.isApproved()
                    && (event.work().rehearsal() || !other.work().rehearsal());
            boolean same = other.work().updateDomain() == domain;
            boolean shares = other.resources().stream().anyMatch(event::lists);
            Duration rest = same ? Duration.ZERO : terms.recovery();
            if (concerned
                    && (!same || shares)
                    && delays(ends, rest, other.noticePeriod().notBefore())) {
                return Optional.of(inTheWay(
                        "event " + other.id() + (shares ? " of the same machine" : " of another update domain"),
                        other.noticePeriod().notBefore(),
                        turn));
            }
        }
        return aheadOfLimit(rollout, active, ends, turn);
    }

    /**
     * Whether another unit that was to start earlier can start now too, so that this one would take its place only because one of its
     * groups is looked at first.
     */
    private Optional<StartBlocker> earlierStartsNow(GroupId group, Event event) {
        RolloutUnitId id = event.work().unit();
        if (id == null) {
            return Optional.empty();
        }
        return event.noticePeriod().notBefore().isAfter(now)
                ? earlierApproved(group, event, id)
                : earlierLate(group, event, id);
    }

    /** One whose date has passed. Whole units are compared, or two of them could wait for each other in different groups. */
    private Optional<StartBlocker> earlierLate(GroupId group, Event event, RolloutUnitId id) {
        Optional<Instant> starts = facts.open(id).map(this::starts);
        if (starts.isEmpty()) {
            return Optional.empty();
        }
        StartBlockers blockers = new StartBlockers(facts, terms, now);
        return facts.state(group).events().stream()
                .filter(other -> other.phase() == Phase.SCHEDULED
                        && other.work().unit() != null
                        && !other.work().unit().equals(id)
                        && other.work().updateDomain() != event.work().updateDomain()
                        && !MachineBlockers.endsRehearsal(event, other))
                .filter(other -> facts.open(other.work().unit())
                        .filter(unit -> isLateBefore(starts.get(), unit) && blockers.couldStart(unit))
                        .filter(unit -> new UnitMachines(facts, unit).leaving().isEmpty())
                        .isPresent())
                .min(Comparator.comparing(other -> other.noticePeriod().notBefore()))
                .map(other ->
                        StartBlocker.unknownEnd(DomainBlockers.comesFirst(other), now.plus(StartBlockers.LOOK_AGAIN)));
    }

    private boolean isLateBefore(Instant starts, ActiveUnit unit) {
        return !unit.hasStarted()
                && starts(unit).isBefore(starts)
                && !starts(unit).isAfter(now);
    }

    /** When a unit was to start: the latest NotBefore of its events. */
    private Instant starts(ActiveUnit unit) {
        return unit.parts().stream()
                .flatMap(part -> facts.state(part.group()).event(part.event()).stream())
                .map(part -> part.noticePeriod().notBefore())
                .max(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    private Optional<StartBlocker> earlierApproved(GroupId group, Event event, RolloutUnitId id) {
        StartBlockers blockers = new StartBlockers(facts, terms, now);
        return new UpcomingUnits(facts, terms)
                .in(group).stream()
                        .filter(next -> !next.unit().equals(id)
                                && next.updateDomain() != event.work().updateDomain()
                                && next.at().isBefore(event.noticePeriod().notBefore())
                                && (event.work().rehearsal()
                                        || !next.rollout().spec().rehearsal())
                                && UpcomingUnits.isApproved(facts, next.unit())
                                && facts.open(next.unit())
                                        .filter(blockers::couldStart)
                                        .isPresent())
                        .findFirst()
                        .map(next -> StartBlocker.unknownEnd(comesFirst(next), now.plus(StartBlockers.LOOK_AGAIN)));
    }

    private static String comesFirst(Upcoming next) {
        return "update domain " + next.updateDomain() + " of its group is to start at " + next.at()
                + ", is approved too and comes first";
    }

    private static boolean delays(Instant ends, Duration recovery, Instant next) {
        return ends.plus(recovery).isAfter(next);
    }

    private StartBlocker inTheWay(String other, Instant at, Instant turn) {
        return new StartBlocker(
                other + (at.isBefore(now) ? " was to start at " : " is to start at ") + at
                        + " and is not approved, so this one keeps its turn",
                turn);
    }

    /** Whether the unit would take the place of one whose turn comes meanwhile. */
    private Optional<StartBlocker> aheadOfLimit(Rollout rollout, ActiveUnit active, Instant ends, Instant turn) {
        if (!ConcurrencyProfile.binds(rollout.spec().atOnce(), rollout.units())) {
            return Optional.empty();
        }
        boolean byFaultDomain = rollout.spec().atOnce().kind() == ConcurrencyLimit.Kind.FAULT_DOMAIN;
        int room = byFaultDomain ? 1 : Math.max(1, rollout.limit() - rollout.started());
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, rollout.spec());
        List<Ahead> first = UpcomingUnits.ahead(facts, rollout)
                .filter(unit -> unit.next().isBefore(ends))
                .filter(unit -> partitioner.canBeWorkedOn(unit.unit().name(), rollout))
                .filter(unit -> !unit.id(rollout).equals(active.tie())
                        && facts.open(unit.id(rollout))
                                .filter(ActiveUnit::hasStarted)
                                .isEmpty()
                        && (unit.next().isBefore(turn) || !UpcomingUnits.isApproved(facts, unit.id(rollout))))
                .limit(room)
                .toList();
        if (first.size() < room) {
            return Optional.empty();
        }
        // Approved ones may start and be over before their dates.
        return Optional.of(
                first.stream().anyMatch(unit -> UpcomingUnits.isApproved(facts, unit.id(rollout)))
                        ? StartBlocker.unknownEnd(
                                "units of rollout " + rollout.name() + " with earlier turns come first",
                                now.plus(StartBlockers.LOOK_AGAIN))
                        : new StartBlocker(
                                "units of rollout " + rollout.name() + " that have not approved come first", turn));
    }
}
