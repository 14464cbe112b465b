package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the units of rollouts that are still to start in a group, whether or not they are shown yet. It remembers which hosts are
 * crowded: once machines have changed hosts, another is needed.
 */
final class UpcomingUnits {
    /**
     * A group's share of a unit.
     *
     * @param cause an evacuation, or the work of the rollout
     * @param at when it is to start
     * @param takes how long it is expected to take
     */
    record Upcoming(RolloutUnitId unit, Rollout rollout, int updateDomain, Cause cause, Instant at, Duration takes) {}

    /** A unit that has a turn and is still to be done, or could not be. */
    record Ahead(int number, RolloutUnit unit) {
        RolloutUnitId id(Rollout rollout) {
            return new RolloutUnitId(rollout.name(), number);
        }

        /** When something of it starts next. */
        Instant next() {
            return unit.turn().next();
        }
    }

    private final StateReader facts;
    private final ServiceTerms terms;
    private final Map<RolloutUnitId, Boolean> crowded = new HashMap<>();

    UpcomingUnits(StateReader facts, ServiceTerms terms) {
        this.facts = facts;
        this.terms = terms;
    }

    List<Upcoming> in(GroupId group) {
        List<Upcoming> upcoming = new ArrayList<>();
        for (Rollout rollout : facts.rollouts()) {
            if (!rollout.isOver()) {
                domains(rollout, group).forEach((number, domains) -> add(upcoming, rollout, number, group, domains));
            }
        }
        return upcoming;
    }

    /** The numbers of a rollout's units that touch a group, and which of its update domains each touches. */
    Map<Integer, Set<Integer>> domains(Rollout rollout, GroupId group) {
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, rollout.spec());
        Map<Integer, Set<Integer>> domains = new LinkedHashMap<>();
        for (Machine machine : facts.machines(group)) {
            OptionalInt number = number(rollout, machine);
            if (number.isPresent() && partitioner.isConcerned(machine, rollout)) {
                domains.computeIfAbsent(number.getAsInt(), n -> new TreeSet<>()).add(machine.updateDomain());
            }
        }
        return domains;
    }

    /** The numbers of all units of a rollout that touch a group, whether or not they are still to come. */
    Set<Integer> touching(Rollout rollout, GroupId group) {
        Set<Integer> numbers = new TreeSet<>();
        for (Machine machine : facts.machines(group)) {
            number(rollout, machine).ifPresent(numbers::add);
        }
        return numbers;
    }

    private OptionalInt number(Rollout rollout, Machine machine) {
        return facts.unitNumber(rollout.name(), rollout.spec().target().unitOf(machine));
    }

    /** Whether a machine is part of a group's share of a unit. */
    boolean isIn(Upcoming upcoming, Machine machine) {
        return machine.updateDomain() == upcoming.updateDomain
                && new RolloutPartitioner(facts, upcoming.rollout.spec()).isConcerned(machine, upcoming.rollout)
                && number(upcoming.rollout, machine).equals(OptionalInt.of(upcoming.unit.unit()));
    }

    /**
     * Whether the rollout of a unit is paused or halted and the unit cannot keep its turn, whenever it is resumed: then it gets the first
     * free one.
     */
    boolean missesItsTurn(Upcoming upcoming, Instant now) {
        if (upcoming.rollout.status() == Rollout.Status.RUNNING
                || facts.open(upcoming.unit).filter(ActiveUnit::hasStarted).isPresent()) {
            return false;
        }
        if (isApproved(facts, upcoming.unit)) {
            return upcoming.at.isBefore(now);
        }
        RolloutSpec spec = upcoming.rollout.spec();
        List<AffectedMachines> all = new RolloutPartitioner(facts, spec)
                .of(unit(facts, upcoming.unit).name(), upcoming.rollout);
        Duration least = new RolloutPacing(facts, terms, spec, now).leastNotice(all, upcoming.cause);
        return upcoming.at.isBefore(now.plus(least));
    }

    /** Whether all groups of a unit have approved it. */
    static boolean isApproved(StateReader facts, RolloutUnitId id) {
        List<Event> events = facts.open(id).map(ActiveUnit::parts).orElse(List.of()).stream()
                .flatMap(part -> facts.state(part.group()).event(part.event()).stream())
                .toList();
        return !events.isEmpty() && events.stream().allMatch(Event::isApproved);
    }

    /** All units of a rollout that are still to be done and have a turn, by number: there may be many thousands. */
    static Stream<Ahead> ahead(StateReader facts, Rollout rollout) {
        return withTurn(facts, rollout, RolloutUnit::isAhead);
    }

    /** The units of a rollout that have a turn, but could not be worked on, by number. */
    static Stream<Ahead> unfit(StateReader facts, Rollout rollout) {
        return withTurn(facts, rollout, RolloutUnit::wasUnfit);
    }

    /** The units of a rollout whose evacuation failed, by number. */
    static Stream<Ahead> failedEvacuations(StateReader facts, Rollout rollout) {
        return withTurn(facts, rollout, RolloutUnit::failedEvacuation);
    }

    private static Stream<Ahead> withTurn(StateReader facts, Rollout rollout, Predicate<RolloutUnit> wanted) {
        return IntStream.range(0, RolloutUnitChunk.chunks(rollout.units()))
                .boxed()
                .flatMap(chunk -> withTurn(facts.units(rollout.name(), chunk), wanted));
    }

    private static Stream<Ahead> withTurn(RolloutUnitChunk chunk, Predicate<RolloutUnit> wanted) {
        List<Ahead> ahead = new ArrayList<>();
        for (int i = 0; i < chunk.units().size(); i++) {
            RolloutUnit unit = chunk.units().get(i);
            if (wanted.test(unit) && unit.turn() != null) {
                ahead.add(new Ahead(chunk.chunk() * RolloutUnitChunk.SIZE + i, unit));
            }
        }
        return ahead.stream();
    }

    static RolloutUnit unit(StateReader facts, RolloutUnitId id) {
        return facts.units(id.rollout(), id.unit() / RolloutUnitChunk.SIZE).unit(id.unit());
    }

    private void add(List<Upcoming> upcoming, Rollout rollout, int number, GroupId group, Set<Integer> domains) {
        RolloutUnitId id = new RolloutUnitId(rollout.name(), number);
        RolloutUnit unit = unit(facts, id);
        Optional<ActiveUnit> open = facts.open(id);
        boolean atWork =
                open.filter(active -> active.hasStarted() && !active.moves()).isPresent();
        if (!unit.isAhead()
                || unit.turn() == null
                || atWork
                // A host that got a second domain cannot be worked on as it is: nothing is planned around it.
                || isCrowded(id, unit, rollout)) {
            return;
        }
        Turn turn = unit.turn();
        Set<Integer> left = new TreeSet<>(domains);
        open.ifPresent(active -> left.removeAll(scheduled(upcoming, rollout, group, active)));
        int passes = turn.evacuations().size();
        // Each pass moves one domain of those that are there (see EvacuationOrder); the first of them may be
        // scheduled already.
        List<Integer> order = passes == 0 || left.size() < 2 ? List.of() : evacuations(rollout, number, group, left);
        for (int pass = open.isPresent() ? 1 : 0, next = 0; pass < passes && next < order.size(); pass++, next++) {
            int moving = order.get(next);
            left.remove(moving);
            Instant at = turn.evacuations().get(pass);
            Instant told = turn.leaving().get(EvacuationOrder.name(group, moving));
            add(
                    upcoming,
                    id,
                    rollout,
                    Set.of(moving),
                    told != null && told.isAfter(at) ? told : at,
                    Cause.HOST_REDEPLOY);
        }
        add(upcoming, id, rollout, left, turn.at(), rollout.spec().cause());
    }

    private boolean isCrowded(RolloutUnitId id, RolloutUnit unit, Rollout rollout) {
        return crowded.computeIfAbsent(
                id, i -> new RolloutPartitioner(facts, rollout.spec()).isCrowded(unit.name(), rollout));
    }

    /** The domains of a group that are moved off the host of a unit, in that order. */
    private List<Integer> evacuations(Rollout rollout, int number, GroupId group, Set<Integer> domains) {
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, rollout.spec());
        Map<Integer, List<Machine>> machines = new TreeMap<>();
        for (Machine machine : facts.machines(group)) {
            if (domains.contains(machine.updateDomain())
                    && partitioner.isConcerned(machine, rollout)
                    && number(rollout, machine).equals(OptionalInt.of(number))) {
                machines.computeIfAbsent(machine.updateDomain(), d -> new ArrayList<>())
                        .add(machine);
            }
        }
        List<AffectedMachines> shares = new ArrayList<>();
        machines.forEach((domain, those) -> shares.add(new AffectedMachines(group, domain, those)));
        return new EvacuationOrder(facts, rollout)
                .all(shares).stream()
                        .map(moving -> moving.get(0).updateDomain())
                        .toList();
    }

    /** The domains of a group that the events of a unit name; those that have not started are still to come. */
    private Set<Integer> scheduled(List<Upcoming> upcoming, Rollout rollout, GroupId group, ActiveUnit active) {
        Set<Integer> domains = new TreeSet<>();
        for (ActiveUnit.Part part : active.parts()) {
            Optional<Event> event =
                    part.group().equals(group) ? facts.state(group).event(part.event()) : Optional.empty();
            event.ifPresent(e -> {
                domains.add(e.work().updateDomain());
                if (e.phase() == Phase.SCHEDULED) {
                    Instant at = e.noticePeriod().notBefore();
                    add(
                            upcoming,
                            active.tie(),
                            rollout,
                            Set.of(e.work().updateDomain()),
                            at,
                            e.work().cause());
                }
            });
        }
        return domains;
    }

    private void add(
            List<Upcoming> upcoming, RolloutUnitId id, Rollout rollout, Set<Integer> domains, Instant at, Cause cause) {
        Duration takes = WorkEstimates.takes(terms, rollout.spec(), cause);
        domains.forEach(domain -> upcoming.add(new Upcoming(id, rollout, domain, cause, at, takes)));
    }
}
