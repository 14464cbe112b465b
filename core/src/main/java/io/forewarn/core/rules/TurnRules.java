package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitPostponement;
import io.forewarn.core.rules.TurnPlanner.Place;
import io.forewarn.core.rules.UpcomingUnits.Ahead;
import io.forewarn.core.rules.UpcomingUnits.Upcoming;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Rules for when the turn of a unit moves. It moves later, never earlier, and only that unit's. */
final class TurnRules {
    /** Limited so that other commands are processed in between. */
    private static final int MOVED_PER_COMMAND = 20;

    /** How many turns a resume moves itself, so that its answer shows them, and is a refusal if one is too late. */
    private static final int MOVED_BY_RESUME = 200;

    /** In a rollout with more units than this, not all of them are looked at for one that moves. */
    private static final int MOST_LOOKED_AT = 1000;

    static final String EVACUATED_FIRST = "its host is evacuated first";
    private static final String RETRIED = "it failed and is retried";

    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;
    private final Set<MachineId> came;

    /** Units that must move because one that failed is retried before them, and have not moved yet. */
    private final Set<RolloutUnitId> makingWay = new HashSet<>();

    private final Set<RolloutUnitId> retried = new HashSet<>();

    /** Whether units are to be moved: those that move together ask that of each other. */
    private final Map<RolloutUnitId, Boolean> judged = new HashMap<>();

    private RolloutPacing pacing;
    private RolloutSpec pacingOf;

    TurnRules(DecisionContext context) {
        this(context, List.of());
    }

    /**
     * For a unit that is not shown yet.
     *
     * @param came the machines that came to it: {@link #tellArrived} tells its date to their owners, who know of no other
     */
    TurnRules(DecisionContext context, Collection<MachineId> came) {
        this.came = Set.copyOf(came);
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
    }

    /** What a unit's next pass does to whom, as the fleet is now. */
    private record Pass(List<AffectedMachines> touched, Cause cause, boolean moves) {}

    private Pass pass(Rollout rollout, RolloutUnitId id) {
        List<AffectedMachines> all = affected(rollout, id);
        List<AffectedMachines> moving = new EvacuationOrder(changes, rollout).first(id, all);
        boolean moves = rollout.spec().evacuate() && !moving.isEmpty();
        return new Pass(
                moves ? moving : all,
                moves ? Cause.HOST_REDEPLOY : rollout.spec().cause(),
                moves);
    }

    /** The machines that a unit affects now. */
    private List<AffectedMachines> affected(Rollout rollout, RolloutUnitId id) {
        return new RolloutPartitioner(changes, rollout.spec())
                .of(UpcomingUnits.unit(changes, id).name(), rollout);
    }

    /** Of the rollout that was asked about last: it is asked about all of its units. */
    private RolloutPacing pacing(Rollout rollout) {
        if (pacing == null || pacingOf != rollout.spec()) {
            pacing = new RolloutPacing(changes, context.terms(), rollout.spec(), context.now());
            pacingOf = rollout.spec();
        }
        return pacing;
    }

    private Rollout rollout(RolloutUnitId id) {
        return changes.rollout(id.rollout()).orElseThrow();
    }

    /**
     * The turn of a unit that is not shown yet, moved if it cannot be kept: its groups must get the least notice, their windows
     * must be open, and nothing else may be in the way.
     *
     * @param changed whether one of its machines came, or changed its update domain: then it moves out of the way of others, not
     *     they out of its way
     * @return empty if there is no time for it within a year, or it is too late and set aside
     */
    Optional<Turn> current(
            RolloutUnitId id,
            RolloutUnit unit,
            List<AffectedMachines> touched,
            Cause cause,
            boolean moves,
            boolean changed) {
        Rollout rollout = rollout(id);
        Turn turn = unit.turn();
        RolloutPacing pacing = RolloutPacing.of(changes, context.terms(), rollout, turn, context.now());
        Instant noticed = pacing.readableFrom(touched).plus(pacing.leastNotice(touched, cause));
        if (turn != null) {
            turn = withoutSpareEvacuations(rollout, id, moves, turn);
            if (!turn.equals(unit.turn())) {
                put(id, turn);
            }
        }
        Pass pass = new Pass(touched, cause, moves);
        boolean placed = turn != null
                && moves == !turn.evacuations().isEmpty()
                && !told(rollout, id, pass, turn).isAfter(turn.next());
        if (placed && isKept(rollout, pacing, id, touched, cause, turn.next(), noticed, changed)) {
            Turn known = staying(pass, turn);
            if (!known.equals(turn)) {
                put(id, known);
            }
            noteNext(rollout, pass, unit.turn(), known);
            return Optional.of(known);
        }
        Optional<Turn> moved = move(id, pass, noticed, null, unit.turn(), noticed);
        if (turn == null || !changed && !noticed.isAfter(turn.next())) {
            return moved;
        }
        // Whoever added or changed machines, or needs more notice by now, has not earned another right to go first.
        Instant due = unit.turn().due();
        return moved.map(later -> {
            put(id, later.dueAt(due));
            return later.dueAt(due);
        });
    }

    /** If a domain left its host by itself, fewer evacuations are needed. The others stay when they are, or come later. */
    private Turn withoutSpareEvacuations(Rollout rollout, RolloutUnitId id, boolean moves, Turn turn) {
        int planned = turn.evacuations().size();
        if (planned == 0) {
            return turn;
        }
        List<List<AffectedMachines>> needed =
                moves ? new EvacuationOrder(changes, rollout).all(id, 0, affected(rollout, id)) : List.of();
        if (needed.size() >= planned) {
            return turn;
        }
        List<Instant> told = needed.stream()
                .map(moving -> moving.stream()
                        .map(domain -> turn.told(EvacuationOrder.name(domain)))
                        .max(Instant::compareTo)
                        .orElseThrow())
                .toList();
        boolean kept = turn.evacuations().containsAll(told)
                && told.stream().sorted().distinct().toList().equals(told);
        List<Instant> times = kept ? told : turn.evacuations().subList(planned - needed.size(), planned);
        Map<String, Instant> leaving = new HashMap<>();
        for (int i = 0; i < times.size(); i++) {
            leaving.putAll(EvacuationOrder.names(needed.get(i), times.get(i)));
        }
        return turn.evacuatedAt(times).leaving(leaving);
    }

    /** Owners who are told that their machines are worked on with the host do not expect an evacuation any more. */
    private static Turn staying(Pass pass, Turn turn) {
        if (pass.moves || turn.leaving().isEmpty()) {
            return turn;
        }
        Map<String, Instant> leaving = new HashMap<>(turn.leaving());
        pass.touched.forEach(domain -> leaving.remove(EvacuationOrder.name(domain)));
        return turn.leaving(leaving);
    }

    /** Before which time a pass must not start, because its owners were told that it does not; null if they were told nothing. */
    private Instant told(Rollout rollout, RolloutUnitId id, Pass pass, Turn turn) {
        if (turn == null || !pass.moves) {
            return turn == null ? null : turn.at();
        }
        EvacuationOrder order = new EvacuationOrder(changes, rollout);
        List<AffectedMachines> all = affected(rollout, id);
        return Stream.concat(
                        turn.evacuations().stream().limit(1),
                        pass.touched.stream().map(domain -> order.told(turn, domain, all)))
                .max(Instant::compareTo)
                .orElseThrow();
    }

    private boolean isKept(
            Rollout rollout,
            RolloutPacing pacing,
            RolloutUnitId id,
            List<AffectedMachines> touched,
            Cause cause,
            Instant starts,
            Instant noticed,
            boolean changed) {
        if (!isOpen(rollout, pacing, touched, cause, starts) || !maySlip(rollout, touched, cause, starts, noticed)) {
            return false;
        }
        boolean shown = !starts.minus(pacing.notice(touched, cause)).isAfter(context.now());
        return shown
                ? !isLate(rollout, id, touched, cause, starts)
                : !changed || !isInTheWay(rollout, id, touched, cause, starts);
    }

    /** Whether a unit as it is now does not fit between all others at its turn. */
    boolean isInTheWay(Rollout rollout, RolloutUnitId id, List<AffectedMachines> touched, Cause cause, Instant turn) {
        return new TurnPlanner(changes, context.terms(), rollout, id, context.now())
                .find(touched, cause, turn)
                .filter(place -> place.at().isAfter(turn.plus(context.terms().tolerance())))
                .isPresent();
    }

    /** Whether it is known that a unit starts later than at its turn by more than is tolerated. */
    boolean isLate(Rollout rollout, RolloutUnitId id, List<AffectedMachines> touched, Cause cause, Instant turn) {
        Instant from = turn.isBefore(context.now()) ? context.now() : turn;
        return new TurnPlanner(changes, context.terms(), rollout, id, context.now(), turn)
                .find(touched, cause, from)
                .filter(place -> place.at().isAfter(turn.plus(context.terms().tolerance())))
                .filter(place -> place.at().isAfter(from))
                .isPresent();
    }

    /**
     * Whether a unit may start as late as a group's notice demands and still keep its turn: that is tolerated, no window closes in
     * between, and it is not too late for the rollout.
     */
    boolean maySlip(Rollout rollout, List<AffectedMachines> touched, Cause cause, Instant turn, Instant to) {
        Instant whole = StartRules.wholeSecond(to);
        return !to.isAfter(turn)
                || !to.isAfter(turn.plus(context.terms().tolerance()))
                        && !rollout.spec().isTooLate(whole)
                        && isOpen(rollout, pacing(rollout), touched, cause, whole);
    }

    /** Measured from the turn of its unit, so that delays that come one after the other do not add up. */
    boolean maySlip(Event event, Instant to) {
        RolloutUnitId id = event.work().unit();
        Instant date = event.noticePeriod().notBefore();
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        Instant promised = turn != null && turn.next().isBefore(date) ? turn.next() : date;
        Rollout rollout = rollout(id);
        Pass pass = pass(rollout, id);
        return !to.isAfter(date) || maySlip(rollout, pass.touched, pass.cause, promised, to);
    }

    private boolean isOpen(
            Rollout rollout, RolloutPacing pacing, List<AffectedMachines> touched, Cause cause, Instant at) {
        Instant ownersUntil = RolloutPacing.ownersUntil(rollout.spec(), rollout.createdAt(), context.terms());
        for (StartCalendar calendar : pacing.calendarsUntil(touched, cause, ownersUntil)) {
            if (!calendar.isOpen(at)) {
                return false;
            }
        }
        return true;
    }

    /** Moves a unit because owners added machines to it. */
    Optional<Turn> moveForOwners(RolloutUnitId id, Instant from, String why) {
        Instant due = UpcomingUnits.unit(changes, id).turn().due();
        Optional<Turn> moved = move(id, from, why);
        moved.ifPresent(turn -> put(id, turn.dueAt(due)));
        return moved;
    }

    /**
     * Moves a unit, its tied events with it, to the first free time from then on.
     *
     * @param why the reason; null for what keeps it from being earlier
     * @return its new turn; empty if there is none, or it is too late: then the unit is set aside, or a rollout that is being resumed halts
     */
    Optional<Turn> move(RolloutUnitId id, Instant from, String why) {
        return move(id, pass(rollout(id), id), from, why);
    }

    private Optional<Turn> move(RolloutUnitId id, Pass pass, Instant from, String why) {
        return move(id, pass, from, why, UpcomingUnits.unit(changes, id).turn(), from);
    }

    /**
     * @param original the turn that owners know
     * @param since from when on it could have started, if that is in the past
     */
    private Optional<Turn> move(RolloutUnitId id, Pass pass, Instant from, String why, Turn original, Instant since) {
        Rollout rollout = rollout(id);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        Turn before = original == null ? null : withoutSpareEvacuations(rollout, id, pass.moves, original);
        Instant told = told(rollout, id, pass, before);
        Instant earliest = notBefore(rollout, pass, from);
        earliest = told != null && told.isAfter(earliest) ? told : earliest;
        Optional<Place> found = pass.touched.isEmpty()
                ? Optional.empty()
                : aroundOthers(rollout, id).find(pass.touched, pass.cause, earliest);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Place place = found.get();
        Turn moved = moved(
                before, pass.moves, place, due(rollout, id, pass, since.isBefore(from) ? since : earliest, place), why);
        Optional<Turn> complete = afterEvacuation(rollout, id, pass, place, moved);
        if (complete.isEmpty()) {
            return Optional.empty();
        }
        Turn after = complete.get();
        after = staying(pass, after);
        if (original == null && rollout.spec().target().kind() != RolloutTarget.Kind.HOSTS) {
            // Its machine came when everything else was over. An owner who keeps moving it must not have it left out
            // for ever.
            after = after.dueAt(context.now());
        }
        // An evacuation is for nothing if the work after it is too late.
        Instant last = after.at().isAfter(place.at()) ? after.at() : place.at();
        if (rollout.spec().isTooLate(last)) {
            String late = unit.name() + " cannot start by " + rollout.spec().until() + ", but at " + last
                    + " at the earliest" + (place.why().isEmpty() ? "" : " (" + place.why() + ")");
            if (rollout.isReplanning()) {
                unitRules.halt(rollout, late + RolloutFinalizer.TOO_LATE);
            } else {
                unitRules.setAside(id, late);
            }
            return Optional.empty();
        }
        put(id, after);
        if (unit.state() == RolloutUnit.State.OPEN) {
            moveEvents(id, place.at(), reason(place, why), place.group());
        } else if (original == null) {
            tellPlanned(rollout, after, affected(rollout, id));
        } else {
            noteNext(rollout, pass, original, after);
        }
        noteWorkAfterEvacuation(rollout, id, pass, before, after);
        return Optional.of(after);
    }

    /** Whether a unit that was set aside can start in time after all. */
    boolean fitsAgain(RolloutUnitId id) {
        Rollout rollout = rollout(id);
        Pass pass = pass(rollout, id);
        Instant noticed = context.now().plus(pacing(rollout).leastNotice(pass.touched, pass.cause));
        return freeAfter(id, context.now(), notBefore(rollout, pass, noticed)).isPresent();
    }

    /** From then on, but not before the rollout may begin, nor before those had their notice who did not use their self-service. */
    private Instant notBefore(Rollout rollout, Pass pass, Instant from) {
        Instant selfService = rollout.spec().selfServiceUntil();
        Instant begins = selfService == null || !selfService.isAfter(context.now())
                ? rollout.spec().at()
                : RolloutPlanner.earliest(
                        rollout.spec(), context.now(), pacing(rollout).notice(pass.touched, pass.cause));
        return begins != null && begins.isAfter(from) ? begins : from;
    }

    /**
     * When a unit that gets this place would start but for what owners asked for. If they have delayed it already, that does not change:
     * whatever moves it now would not have, had it started in time.
     *
     * @param since from when on it could have started
     */
    private Instant due(Rollout rollout, RolloutUnitId id, Pass pass, Instant since, Place place) {
        Turn before = UpcomingUnits.unit(changes, id).turn();
        if (before == null) {
            return place.at();
        }
        if (before.due().isBefore(before.at())) {
            return before.due();
        }
        boolean missed = !since.isAfter(before.next());
        if (!place.owners() && !missed) {
            return place.at();
        }
        return new TurnPlanner(changes, context.terms(), rollout, id, context.now())
                .withoutOwners()
                .find(pass.touched, pass.cause, since)
                .map(Place::at)
                .filter(at -> at.isAfter(since) && at.isAfter(before.at()))
                .orElse(before.due());
    }

    /** Owners are told when later evacuations of a host, or the work on it, come later because this evacuation does. */
    private void noteWorkAfterEvacuation(Rollout rollout, RolloutUnitId id, Pass pass, Turn before, Turn after) {
        if (!pass.moves || before == null) {
            return;
        }
        List<AffectedMachines> rest = rest(rollout, id, pass);
        EvacuationOrder order = new EvacuationOrder(changes, rollout);
        List<List<AffectedMachines>> later = order.all(id, 1, rest);
        for (int i = 1; i < after.evacuations().size() && i <= later.size(); i++) {
            List<AffectedMachines> moving = later.get(i - 1);
            Instant at = after.evacuations().get(i);
            if (i >= before.evacuations().size()
                    || at.isAfter(before.evacuations().get(i))) {
                note(rollout, moving, Cause.HOST_REDEPLOY, at, after);
            }
            rest.removeAll(moving);
        }
        if (after.at().isAfter(before.at())) {
            note(rollout, rest, rollout.spec().cause(), after.at(), after);
        }
    }

    static List<GroupId> groups(List<AffectedMachines> touched) {
        return touched.stream().map(AffectedMachines::group).distinct().toList();
    }

    /** The machines that an evacuation leaves on the host. */
    private List<AffectedMachines> rest(Rollout rollout, RolloutUnitId id, Pass pass) {
        List<AffectedMachines> rest = new ArrayList<>(affected(rollout, id));
        rest.removeAll(pass.touched);
        return rest;
    }

    /**
     * The turn of a unit whose next pass has that place: an evacuation is followed by the other evacuations of the host and by the work
     * itself, each with notice after the one before.
     *
     * @return empty if there is no time for one of them within a year
     */
    private Optional<Turn> afterEvacuation(Rollout rollout, RolloutUnitId id, Pass pass, Place evacuation, Turn turn) {
        if (!pass.moves) {
            return Optional.of(turn);
        }
        TurnPlanner planner = aroundOthers(rollout, id);
        planner.take(pass.touched, pass.cause, evacuation);
        List<AffectedMachines> rest = rest(rollout, id, pass);
        List<Instant> evacuations = new ArrayList<>(List.of(evacuation.at()));
        Instant from = evacuation.ends();
        EvacuationOrder order = new EvacuationOrder(changes, rollout);
        List<AffectedMachines> all = affected(rollout, id);
        Map<String, Instant> leaving = EvacuationOrder.names(pass.touched, evacuation.at());
        for (List<AffectedMachines> moving : order.all(id, 1, rest)) {
            int number = evacuations.size();
            Instant told = moving.stream()
                    .map(domain -> order.told(turn, domain, all))
                    .max(Instant::compareTo)
                    .orElseThrow();
            Instant planned =
                    number < turn.evacuations().size() ? turn.evacuations().get(number) : from;
            planned = told.isAfter(planned) ? told : planned;
            Optional<Place> next = following(rollout, planner, moving, Cause.HOST_REDEPLOY, from, planned);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            planner.take(moving, Cause.HOST_REDEPLOY, next.get());
            evacuations.add(next.get().at());
            leaving.putAll(EvacuationOrder.names(moving, next.get().at()));
            from = next.get().ends();
            rest.removeAll(moving);
        }
        Turn evacuated = turn.evacuatedAt(evacuations).leaving(leaving);
        return rest.isEmpty()
                ? Optional.of(evacuated)
                : following(rollout, planner, rest, rollout.spec().cause(), from, turn.at())
                        .map(work -> work.at().isAfter(turn.at())
                                ? evacuated.moved(work.at(), EVACUATED_FIRST, TurnPlanner.about(groups(pass.touched)))
                                : evacuated);
    }

    /** What comes after an evacuation that ends then: at the planned time if there is notice enough, or else as soon as may be. */
    private Optional<Place> following(
            Rollout rollout,
            TurnPlanner planner,
            List<AffectedMachines> touched,
            Cause cause,
            Instant evacuated,
            Instant planned) {
        Instant noticed = evacuated.plus(pacing(rollout).notice(touched, cause));
        Optional<Place> earliest = planner.find(touched, cause, noticed);
        return earliest.filter(place -> !place.at().isAfter(planned)).isEmpty()
                ? earliest
                : Optional.of(new Place(
                        planned, WorkEstimates.takes(context.terms(), rollout.spec(), cause), "", null, false));
    }

    /** @param due when it would start but for what owners asked for */
    private static Turn moved(Turn before, boolean moves, Place place, Instant due, String why) {
        String reason = reason(place, why);
        GroupId group = place.group();
        if (before == null) {
            return moves
                    ? Turn.planned(place.ends(), List.of(place.at()), reason, group)
                    : Turn.planned(place.at(), List.of(), reason, group);
        }
        if (!moves) {
            return before.moved(place.at(), reason, group).dueAt(due);
        }
        List<Instant> evacuations = new ArrayList<>(before.evacuations());
        if (evacuations.isEmpty()) {
            evacuations.add(place.at());
        } else {
            evacuations.set(0, place.at());
        }
        return before.evacuatedAt(evacuations);
    }

    /** Why a unit moves, and what keeps it from being earlier after that. */
    private static String reason(Place place, String why) {
        if (why == null) {
            return place.why().isEmpty() ? "its machines get their notice" : place.why();
        }
        return place.why().isEmpty() ? why : why + "; " + place.why();
    }

    private void put(RolloutUnitId id, Turn turn) {
        judged.remove(id);
        changes.put(unitRules.chunk(id).with(id.unit(), turn));
    }

    private void moveEvents(RolloutUnitId id, Instant to, String why, GroupId because) {
        changes.open(id).ifPresent(active -> {
            for (Part part : active.parts()) {
                unitRules.moveTo(part, to, Turn.why(why, because, part.group().tenant()));
            }
        });
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
            Rollout rollout = rollout(id);
            List<AffectedMachines> arrived = new ArrayList<>();
            for (AffectedMachines affected : affected(rollout, id)) {
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
    private void tellPlanned(Rollout rollout, Turn turn, List<AffectedMachines> machines) {
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
    private void noteNext(Rollout rollout, Pass pass, Turn before, Turn after) {
        Instant starts = after.next();
        List<AffectedMachines> others = pass.touched.stream()
                .filter(domain -> !starts.equals(before.told(EvacuationOrder.name(domain))))
                .toList();
        note(rollout, others, pass.cause, starts, after);
    }

    /** Machines that are not shown the unit yet are not told of its new time, but their owners are. */
    private void note(Rollout rollout, List<AffectedMachines> touched, Cause cause, Instant starts, Turn turn) {
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
                HistoryEntry.detail(rollout.spec().rehearsal(), turn.why(tenant)),
                rollout.name())));
    }

    /**
     * A later time for the events of a unit.
     *
     * @param at when they start
     * @param delay how much later the last of the unit's work starts: after an evacuation comes the work itself
     */
    record Later(Instant at, Duration delay) {}

    /**
     * The first free time for a unit from then on.
     *
     * @param now when it could start now
     * @return empty if there is none, or if it is too late for the rollout
     */
    Optional<Later> freeAfter(RolloutUnitId id, Instant now, Instant from) {
        Rollout rollout = rollout(id);
        Pass pass = pass(rollout, id);
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        Optional<Place> found = new TurnPlanner(changes, context.terms(), rollout, id, context.now())
                .find(pass.touched, pass.cause, from)
                .filter(place -> !rollout.spec().isTooLate(place.at()));
        if (found.isEmpty() || turn == null || !pass.moves) {
            return found.map(place -> new Later(place.at(), Duration.between(now, place.at())));
        }
        Place place = found.get();
        Duration delay = Duration.between(now, place.at());
        return afterEvacuation(rollout, id, pass, place, moved(turn, true, place, place.at(), null))
                .filter(after -> !rollout.spec().isTooLate(after.at()))
                .map(after -> Duration.between(turn.at(), after.at()))
                .map(work -> new Later(place.at(), work.compareTo(delay) > 0 ? work : delay));
    }

    /** Somebody postponed a unit: all its events have moved already. */
    void postponed(RolloutUnitId id, Instant until, String why, GroupId by, UnitPostponement granted) {
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        boolean moves = changes.open(id).filter(ActiveUnit::moves).isPresent();
        if (unit.turn() == null) {
            return;
        }
        Rollout rollout = rollout(id);
        Cause cause = moves ? Cause.HOST_REDEPLOY : rollout.spec().cause();
        Place place = new Place(until, WorkEstimates.takes(context.terms(), rollout.spec(), cause), why, by, false);
        Pass pass = pass(rollout, id);
        Turn moved = moved(unit.turn(), moves, place, place.at(), null);
        Turn after = moves ? afterEvacuation(rollout, id, pass, place, moved).orElse(moved) : moved;
        put(id, after.postponed(granted));
        noteWorkAfterEvacuation(rollout, id, pass, unit.turn(), after);
    }

    /**
     * Gives a failed unit another turn. If it left machines down, that turn is ahead of the rest of its rollout, because they keep the
     * other update domains of their groups waiting; the units of the rollout that are in its way are to be moved next, by {@link
     * #replanAtOnce}.
     */
    void retry(RolloutUnitId id, Duration notice) {
        Rollout rollout = rollout(id);
        Pass pass = pass(rollout, id);
        Instant from = context.now().plus(noticeOfRetry(rollout, pass, notice));
        retried.add(id);
        boolean down = affected(rollout, id).stream().anyMatch(share -> RolloutPacing.hasFailed(changes, share));
        if (!down) {
            move(id, pass, from, RETRIED).ifPresent(turn -> put(id, turn.shownAhead(notice)));
            return;
        }
        Optional<Place> place = pass.touched.isEmpty()
                ? Optional.empty()
                : new TurnPlanner(changes, context.terms(), rollout, id, context.now(), Instant.MIN)
                        .find(pass.touched, pass.cause, from);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        if (place.isEmpty()
                || unit.turn() == null
                || rollout.spec().isTooLate(place.get().at())) {
            // Looked at like any other unit, which halts the rollout if it is too late.
            move(id, pass, from, null);
            return;
        }
        Turn before = withoutSpareEvacuations(rollout, id, pass.moves, unit.turn());
        Turn again = moved(before, pass.moves, place.get(), place.get().at(), RETRIED)
                .shownAhead(notice);
        again = afterEvacuation(rollout, id, pass, place.get(), again).orElse(again);
        put(id, again);
        note(rollout, pass.touched, pass.cause, again.next(), again);
        noteWorkAfterEvacuation(rollout, id, pass, before, again);
        for (AffectedMachines affected : pass.touched) {
            noteInTheWay(rollout, id, affected, place.get());
        }
    }

    /** Gives a unit that could not be worked on its turn back, or another if that is too near. */
    void placeAgain(RolloutUnitId id, Duration notice) {
        Rollout rollout = rollout(id);
        Pass pass = pass(rollout, id);
        Instant from = context.now().plus(noticeOfRetry(rollout, pass, notice));
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        if (turn == null || turn.next().isBefore(from)) {
            move(id, pass, from, null);
        }
        Turn placed = UpcomingUnits.unit(changes, id).turn();
        if (placed != null && notice != null) {
            put(id, placed.shownAhead(notice));
        }
    }

    private Duration noticeOfRetry(Rollout rollout, Pass pass, Duration wanted) {
        Duration least = pacing(rollout).leastNotice(pass.touched, pass.cause);
        return wanted == null || wanted.compareTo(least) < 0 ? least : wanted;
    }

    private void noteInTheWay(Rollout rollout, RolloutUnitId id, AffectedMachines affected, Place place) {
        Duration recovery = RolloutPacing.recovery(rollout.spec(), context.terms());
        for (Upcoming other : new UpcomingUnits(changes, context.terms()).in(affected.group())) {
            boolean inTheWay = other.rollout().name().equals(rollout.name())
                    && !other.unit().equals(id)
                    && other.updateDomain() != affected.updateDomain()
                    && other.at().isBefore(place.ends().plus(recovery))
                    && place.at().isBefore(other.at().plus(other.takes()).plus(recovery));
            if (inTheWay) {
                makingWay.add(other.unit());
            }
        }
    }

    /** The dates of its events moved, because machines could read them only later than planned. */
    void follow(RolloutUnitId id, Instant notBefore) {
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        boolean moves = changes.open(id).filter(ActiveUnit::moves).isPresent();
        if (unit.turn() != null && !moves && notBefore.isAfter(unit.turn().at())) {
            put(id, unit.turn().moved(notBefore, "its machines could read of it only later", null));
        }
    }

    /** Moves a scheduled unit whose turn is to come if no window is open then any more, but one is later. */
    void moveIfClosed(RolloutUnitId id) {
        Rollout rollout = rollout(id);
        Optional<ActiveUnit> active = changes.open(id).filter(a -> !a.hasStarted());
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        if (rollout.status() != Rollout.Status.RUNNING || rollout.isReplanning() || turn == null || active.isEmpty()) {
            return;
        }
        Pass pass = pass(rollout, id);
        Instant starts = pass.moves ? turn.next() : turn.at();
        if (!pass.touched.isEmpty() && isLate(rollout, id, pass.touched, pass.cause, starts)) {
            move(id, pass, starts, null);
        }
    }

    /** Moves a scheduled unit whose turn has come if it is known to start later than that by more than is tolerated. */
    void moveIfLate(RolloutUnitId id) {
        Rollout rollout = rollout(id);
        Optional<ActiveUnit> active = changes.open(id).filter(a -> !a.hasStarted());
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        if (rollout.status() != Rollout.Status.RUNNING
                || rollout.isReplanning()
                || unit.turn() == null
                || !unit.isAhead()
                || unit.state() == RolloutUnit.State.OPEN && active.isEmpty()) {
            return;
        }
        Pass pass = pass(rollout, id);
        if (pass.touched.isEmpty()) {
            return;
        }
        Instant starts = pass.moves ? unit.turn().next() : unit.turn().at();
        Instant from = starts.isBefore(context.now()) ? context.now() : starts;
        if (isLate(rollout, id, pass.touched, pass.cause, starts)) {
            move(id, pass, from, null, unit.turn(), starts);
        } else if (active.isPresent()
                && !pacing(rollout).hasWindow(pass.touched, pass.cause, rollout.createdAt(), from)) {
            // Policies have changed since the unit was scheduled.
            unitRules.callOff(active.get(), RolloutUnit.State.PENDING, Actor.SERVICE, RolloutFinalizer.NO_WINDOW);
        }
    }

    /** The latest start of a rollout has passed while one of its units waits for something that has no known end. */
    void setAsideIfTooLate(RolloutUnitId id) {
        Rollout rollout = rollout(id);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        if (rollout.status() == Rollout.Status.RUNNING
                && rollout.spec().isTooLate(context.now())
                && !unit.isSetAside()) {
            unitRules.setAside(
                    id, unit.name() + " has not started by " + rollout.spec().until() + waitedFor(id));
        }
    }

    /** Why a rollout must not go on: a unit keeps a turn that is too late. */
    Optional<String> tooLate(Rollout rollout) {
        return UpcomingUnits.ahead(changes, rollout)
                .filter(unit -> rollout.spec().isTooLate(unit.unit().turn().at()))
                .filter(unit -> changes.open(unit.id(rollout))
                        .filter(active -> active.hasStarted() && !active.moves())
                        .isEmpty())
                .filter(unit -> !affected(rollout, unit.id(rollout)).isEmpty())
                .min(Comparator.comparing(unit -> unit.unit().turn().at()))
                .map(unit -> unit.unit().name() + " cannot start by "
                        + rollout.spec().until() + ", because its turn is "
                        + unit.unit().turn().at()
                        + " and never moves earlier" + RolloutFinalizer.TOO_LATE);
    }

    private String waitedFor(RolloutUnitId id) {
        return changes.open(id).map(ActiveUnit::parts).orElse(List.of()).stream()
                .flatMap(part -> context.blockers().own(part.group(), unitRules.event(part)).stream())
                .findFirst()
                .map(blocker -> " (" + blocker.why() + ")")
                .orElse("");
    }

    /** Work in a group takes longer than expected: moves what cannot start in time because of it. */
    void workIsOverdue(GroupId group, Event overdue) {
        Instant ends = WorkEstimates.ends(
                context.terms(),
                overdue.attempt().startedAt(),
                WorkEstimates.takes(changes, context.terms(), overdue.work()),
                context.now());
        new UpcomingUnits(changes, context.terms())
                .in(group).stream()
                        .filter(upcoming ->
                                upcoming.updateDomain() != overdue.work().updateDomain())
                        .filter(upcoming -> upcoming.at()
                                .isBefore(ends.plus(RolloutPacing.recovery(
                                        upcoming.rollout().spec(), context.terms()))))
                        .limit(MOVED_PER_COMMAND)
                        .forEach(upcoming -> moveIfLate(upcoming.unit()));
    }

    /**
     * After a pause: gives those units another turn that cannot keep theirs, a few at a time. Nothing of the rollout starts before
     * this is done.
     */
    void replan(Rollout rollout) {
        replan(rollout, MOVED_PER_COMMAND, false);
    }

    /** The same when it is resumed, and for units that make way for one that is retried. */
    void replanAtOnce(Rollout rollout) {
        replan(rollout, MOVED_BY_RESUME, true);
    }

    /** @param all whether to look at the calendars of all units, which takes long if there are many */
    private void replan(Rollout rollout, int most, boolean all) {
        List<RolloutUnitId> behind = behind(rollout, most + 1, all);
        List<RolloutUnitId> moving = Stream.concat(
                        makingWay.stream(), behind.stream().limit(most))
                .distinct()
                .sorted(Comparator.comparing((RolloutUnitId id) -> !retried.contains(id))
                        .thenComparing(
                                id -> UpcomingUnits.unit(changes, id).turn().next())
                        .thenComparing(RolloutUnitId::unit))
                .toList();
        for (RolloutUnitId id : moving) {
            if (moveBehind(rollout, id).isEmpty()) {
                if (rollout(id).status() != Rollout.Status.RUNNING) {
                    changes.put(rollout(id).replanningSince(null));
                    return;
                }
                // There is no window for it; that is judged when everything else is over.
                new CancelledDates(context).of(id, RolloutFinalizer.NO_WINDOW);
                changes.open(id)
                        .ifPresent(active -> unitRules.callOff(
                                active, RolloutUnit.State.PENDING, Actor.SERVICE, RolloutFinalizer.NO_WINDOW));
                put(id, null);
            }
        }
        Rollout now = changes.rollout(rollout.name()).orElseThrow();
        // Put in any case, so that the rest is done next.
        changes.put(behind.size() <= most ? now.replanningSince(null) : now);
    }

    private Optional<Turn> moveBehind(Rollout rollout, RolloutUnitId id) {
        Pass pass = pass(rollout, id);
        Instant since = rollout.isReplanning() ? rollout.replanning() : context.now();
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        boolean inTheWay = makingWay.remove(id);
        String why = null;
        if (isTooSoon(rollout, id, pass, turn)) {
            why = "the rollout was paused or halted";
        } else if (inTheWay) {
            why = "a unit that failed is retried before it";
        }
        return move(id, pass, since.plus(owedNotice(rollout, id, pass)), why);
    }

    /**
     * The units that cannot get the least notice since the rollout was resumed, or whose calendars are closed at their turns, in the
     * order of their turns; of many only the first. If not all units are looked at, only the hours of the rollout count for those
     * that are not shown soon: what policies close for them is seen later, when they are looked at one by one.
     */
    private List<RolloutUnitId> behind(Rollout rollout, int most, boolean all) {
        Instant near = rollout.isReplanning()
                ? rollout.replanning().plus(longestNotice(rollout.spec().cause()))
                : Instant.MIN;
        boolean every = all && pacing(rollout).isRestricted();
        StartCalendar windows = rollout.spec().calendar();
        StartCalendar hours = rollout.spec().lateCalendar();
        return UpcomingUnits.ahead(changes, rollout)
                .filter(unit -> every
                        || unit.next().isBefore(near)
                        || unit.unit().state() == RolloutUnit.State.OPEN
                        || !windows.isOpen(unit.next())
                        || !hours.isOpen(unit.next()))
                .sorted(Comparator.comparing(Ahead::next).thenComparing(Ahead::number))
                .filter(unit -> isBehind(rollout, unit.id(rollout), unit.unit().turn()))
                .limit(most)
                .map(unit -> unit.id(rollout))
                .toList();
    }

    /** No group must get more notice than this. */
    private Duration longestNotice(Cause cause) {
        return Stream.concat(
                        Stream.of(cause.type(), Cause.HOST_REDEPLOY.type()).map(context.terms()::minimumNotice),
                        changes.policies().stream().map(Policy::notice).filter(Objects::nonNull))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    /** For another time for a unit. Those that cannot keep their turns, and get others next, are in nobody's way. */
    private TurnPlanner aroundOthers(Rollout rollout, RolloutUnitId id) {
        boolean few = rollout.isReplanning() || rollout.units() <= MOST_LOOKED_AT;
        return new TurnPlanner(changes, context.terms(), rollout, id, context.now())
                .without(this::isToBeMoved, few ? this::isToBeMoved : makingWay::contains);
    }

    /** Whether a unit still has a turn that it cannot keep, and gets another in this moment. */
    private boolean isToBeMoved(RolloutUnitId id) {
        if (makingWay.contains(id)) {
            return true;
        }
        Boolean known = judged.get(id);
        if (known == null) {
            Rollout rollout = rollout(id);
            Turn turn = UpcomingUnits.unit(changes, id).turn();
            known = turn != null && rollout.status() == Rollout.Status.RUNNING && isBehind(rollout, id, turn);
            judged.put(id, known);
        }
        return known;
    }

    private boolean isBehind(Rollout rollout, RolloutUnitId id, Turn planned) {
        if (!rollout.isReplanning() && !pacing(rollout).isRestricted()
                || changes.open(id).filter(ActiveUnit::hasStarted).isPresent()) {
            return false;
        }
        Pass pass = pass(rollout, id);
        return !pass.touched.isEmpty()
                && !isCrowded(rollout, id)
                && (isTooSoon(rollout, id, pass, planned) || hasClosed(rollout, id, pass, planned));
    }

    /** Whether a unit has no events and cannot be worked on as it is: no date can be promised. */
    private boolean isCrowded(Rollout rollout, RolloutUnitId id) {
        return changes.open(id).isEmpty()
                && new RolloutPartitioner(changes, rollout.spec())
                        .isCrowded(UpcomingUnits.unit(changes, id).name(), rollout);
    }

    private boolean isTooSoon(Rollout rollout, RolloutUnitId id, Pass pass, Turn planned) {
        return rollout.isReplanning()
                && withoutSpareEvacuations(rollout, id, pass.moves, planned)
                        .next()
                        .isBefore(rollout.replanning().plus(owedNotice(rollout, id, pass)));
    }

    /** Whether a calendar that was open at a turn is so no more. What machines are shown already may start a little late. */
    private boolean hasClosed(Rollout rollout, RolloutUnitId id, Pass pass, Turn planned) {
        Instant turn = withoutSpareEvacuations(rollout, id, pass.moves, planned).next();
        RolloutPacing pacing = pacing(rollout);
        if (isOpen(rollout, pacing, pass.touched, pass.cause, turn)) {
            return false;
        }
        boolean shown = changes.open(id).isPresent();
        if (shown && rollout.isReplanning()) {
            return true;
        }
        Instant ownersUntil = RolloutPacing.ownersUntil(rollout.spec(), rollout.createdAt(), context.terms());
        Instant tolerated = shown ? turn.plus(context.terms().tolerance()) : turn;
        // If no window suits all its groups, it keeps its turn until one does.
        return !turn.isBefore(context.now())
                && WindowSearch.earliest(turn, pacing.calendarsUntil(pass.touched, pass.cause, ownersUntil))
                        .filter(opens -> opens.isAfter(tolerated))
                        .isPresent();
    }

    /**
     * The notice that a unit must get after a pause; one that is approved needs none, but a place of its own. What counts as approved
     * only because nothing runs may not be by then.
     */
    private Duration owedNotice(Rollout rollout, RolloutUnitId id, Pass pass) {
        boolean mayLapse = changes.open(id).map(ActiveUnit::parts).orElse(List.of()).stream()
                .map(unitRules::event)
                .anyMatch(StartRules::mayLapse);
        return UpcomingUnits.isApproved(changes, id) && !mayLapse
                ? Duration.ZERO
                : pacing(rollout).leastNotice(pass.touched, pass.cause);
    }
}
