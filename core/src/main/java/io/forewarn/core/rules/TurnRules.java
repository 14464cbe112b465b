package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitPostponement;
import io.forewarn.core.rules.TurnPlanner.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rules for when the turn of a unit moves. It moves later, never earlier, and only that unit's. */
final class TurnRules {
    /** Limited so that other commands are processed in between. */
    private static final int MOVED_PER_COMMAND = 20;

    static final String EVACUATED_FIRST = "its host is evacuated first";

    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;
    private final LostTurns lost;
    private final EvacuatedTurns evacuated;
    private final PlannedDates dates;

    TurnRules(DecisionContext context) {
        this(context, new LostTurns(context), new PlannedDates(context));
    }

    /** @param dates tells owners of the dates that change */
    TurnRules(DecisionContext context, PlannedDates dates) {
        this(context, new LostTurns(context), dates);
    }

    /** @param lost the units that are about to move together with the one that is moved */
    TurnRules(DecisionContext context, LostTurns lost) {
        this(context, lost, new PlannedDates(context));
    }

    private TurnRules(DecisionContext context, LostTurns lost, PlannedDates dates) {
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
        this.evacuated = new EvacuatedTurns(context);
        this.lost = lost;
        this.dates = dates;
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
        Rollout rollout = NextPass.rollout(changes, id);
        Turn turn = unit.turn();
        // Machines that came get all the notice that their policy gives them.
        RolloutPacing pacing = changed
                ? lost.pacing(rollout)
                : RolloutPacing.of(changes, context.terms(), rollout, turn, context.now());
        Instant noticed = pacing.readableFrom(touched).plus(pacing.leastNotice(touched, cause));
        if (turn != null) {
            turn = evacuated.withoutSpareEvacuations(rollout, id, moves, turn);
            if (!turn.equals(unit.turn())) {
                put(id, turn);
            }
        }
        NextPass pass = new NextPass(touched, cause, moves);
        boolean placed = turn != null
                && moves == !turn.evacuations().isEmpty()
                && !evacuated.lacksEvacuations(rollout, id, pass, turn)
                && !evacuated.told(rollout, id, pass, turn).isAfter(turn.next());
        if (placed
                && !evacuated.hasClosed(lost.pacing(rollout), rollout, id, pass, turn)
                && isKept(rollout, pacing, id, touched, cause, turn.next(), noticed, changed)) {
            List<AffectedMachines> staying =
                    pass.moves() ? evacuated.stayingByNow(rollout, id, pass, unit.turn()) : List.of();
            Turn known = EvacuatedTurns.staying(pass, turn)
                    .notLeaving(staying.stream().map(EvacuationOrder::name).toList());
            if (!known.equals(turn)) {
                put(id, known);
            }
            dates.noteNext(rollout, pass, unit.turn(), known);
            dates.noteStaying(rollout, staying, known);
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

    private boolean isKept(
            Rollout rollout,
            RolloutPacing pacing,
            RolloutUnitId id,
            List<AffectedMachines> touched,
            Cause cause,
            Instant starts,
            Instant noticed,
            boolean changed) {
        if (!pacing.isOpen(rollout.createdAt(), touched, cause, starts)
                || !maySlip(rollout, touched, cause, starts, noticed)) {
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
                        && lost.pacing(rollout).isOpen(rollout.createdAt(), touched, cause, whole);
    }

    /** Measured from the turn of its unit, so that delays that come one after the other do not add up. */
    boolean maySlip(Event event, Instant to) {
        RolloutUnitId id = event.work().unit();
        Instant date = event.noticePeriod().notBefore();
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        Instant promised = turn != null && turn.next().isBefore(date) ? turn.next() : date;
        Rollout rollout = NextPass.rollout(changes, id);
        NextPass pass = NextPass.of(changes, rollout, id);
        return !to.isAfter(date) || maySlip(rollout, pass.touched(), pass.cause(), promised, to);
    }

    /**
     * Moves a unit because owners added machines to it.
     *
     * @param group the group of these machines
     */
    Optional<Turn> moveForOwners(RolloutUnitId id, Instant from, String why, GroupId group) {
        Instant due = UpcomingUnits.unit(changes, id).turn().due();
        Optional<Turn> moved = move(id, from, why);
        moved.ifPresent(turn -> put(id, (turn.group() == null ? turn.because(group) : turn).dueAt(due)));
        return moved;
    }

    /**
     * Moves a unit, its tied events with it, to the first free time from then on.
     *
     * @param why the reason; null for what keeps it from being earlier
     * @return its new turn; empty if there is none, or it is too late: then the unit is set aside, or a rollout that is being resumed halts
     */
    Optional<Turn> move(RolloutUnitId id, Instant from, String why) {
        return move(id, NextPass.of(changes, NextPass.rollout(changes, id), id), from, why);
    }

    Optional<Turn> move(RolloutUnitId id, NextPass pass, Instant from, String why) {
        return move(id, pass, from, why, UpcomingUnits.unit(changes, id).turn(), from);
    }

    /**
     * @param original the turn that owners know; null if they know none
     * @param since from when on it could have started, if that is in the past
     */
    Optional<Turn> move(RolloutUnitId id, NextPass pass, Instant from, String why, Turn original, Instant since) {
        Rollout rollout = NextPass.rollout(changes, id);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        Turn known = original == null ? unit.calledOff() : original;
        Turn before = known == null ? null : evacuated.withoutSpareEvacuations(rollout, id, pass.moves(), known);
        Instant told = evacuated.told(rollout, id, pass, before);
        Instant earliest = notBefore(rollout, pass, from);
        earliest = told != null && told.isAfter(earliest) ? told : earliest;
        Optional<Place> found = pass.touched().isEmpty()
                ? Optional.empty()
                : lost.aroundOthers(rollout, id).find(pass.touched(), pass.cause(), earliest);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Place place = found.get();
        Turn moved = EvacuatedTurns.moved(
                before,
                pass.moves(),
                place,
                due(rollout, id, pass, since.isBefore(from) ? since : earliest, place),
                why);
        Optional<Turn> complete = evacuated.afterEvacuation(
                lost.aroundOthers(rollout, id), lost.pacing(rollout), rollout, id, pass, place, moved);
        if (complete.isEmpty()) {
            return Optional.empty();
        }
        Turn after = complete.get();
        after = EvacuatedTurns.staying(pass, after);
        if (known == null && rollout.spec().target().kind() != RolloutTarget.Kind.HOSTS) {
            // Its machine came when everything else was over. An owner who keeps moving it must not have it left out
            // for ever.
            after = after.dueAt(context.now());
        }
        // An evacuation is for nothing if the work after it is too late.
        Instant last = after.at().isAfter(place.at()) ? after.at() : place.at();
        if (rollout.spec().isTooLate(last)) {
            String late = tooLate(unit, rollout, last, place.why());
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
            dates.tellPlanned(rollout, after, NextPass.affected(changes, rollout, id));
        } else if (pass.moves()) {
            dates.noteNext(rollout, pass, original, after, reason(place, why), place.group());
        } else {
            dates.noteNext(rollout, pass, original, after);
        }
        dates.noteWorkAfterEvacuation(rollout, id, pass, original == null ? null : before, after);
        if (original != null && pass.moves() && after.at().equals(original.at())) {
            dates.noteStaying(rollout, evacuated.stayingByNow(rollout, id, pass, original), after);
        }
        return Optional.of(after);
    }

    /** Whether a unit that was set aside can start in time after all. */
    boolean fitsAgain(RolloutUnitId id) {
        Rollout rollout = NextPass.rollout(changes, id);
        NextPass pass = NextPass.of(changes, rollout, id);
        Instant noticed = context.now().plus(lost.pacing(rollout).leastNotice(pass.touched(), pass.cause()));
        Instant told = evacuated.told(
                rollout, id, pass, UpcomingUnits.unit(changes, id).calledOff());
        Instant from = notBefore(rollout, pass, noticed);
        return freeAfter(id, context.now(), told != null && told.isAfter(from) ? told : from)
                .isPresent();
    }

    /** From then on, but not before the rollout may begin, nor before those had their notice who did not use their self-service. */
    private Instant notBefore(Rollout rollout, NextPass pass, Instant from) {
        Instant selfService = rollout.spec().selfServiceUntil();
        Instant begins = selfService == null || !selfService.isAfter(context.now())
                ? rollout.spec().at()
                : RolloutPlanner.earliest(
                        rollout.spec(), context.now(), lost.pacing(rollout).notice(pass.touched(), pass.cause()));
        return begins != null && begins.isAfter(from) ? begins : from;
    }

    /**
     * When a unit that gets this place would start but for what owners asked for. If they have delayed it already, that does not change:
     * whatever moves it now would not have, had it started in time.
     *
     * @param since from when on it could have started
     */
    private Instant due(Rollout rollout, RolloutUnitId id, NextPass pass, Instant since, Place place) {
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
                .find(pass.touched(), pass.cause(), since)
                .map(Place::at)
                .filter(at -> at.isAfter(since) && at.isAfter(before.at()))
                .orElse(before.due());
    }

    static List<GroupId> groups(List<AffectedMachines> touched) {
        return touched.stream().map(AffectedMachines::group).distinct().toList();
    }

    /** Why a unit moves, and what keeps it from being earlier after that. */
    static String reason(Place place, String why) {
        if (why == null) {
            return place.why().isEmpty() ? "its machines get their notice" : place.why();
        }
        return place.why().isEmpty() ? why : why + "; " + place.why();
    }

    void put(RolloutUnitId id, Turn turn) {
        lost.moved(id);
        changes.put(unitRules.chunk(id).with(id.unit(), turn));
    }

    private void moveEvents(RolloutUnitId id, Instant to, String why, GroupId because) {
        changes.open(id).ifPresent(active -> {
            for (Part part : active.parts()) {
                unitRules.moveTo(part, to, Turn.why(why, because, part.group().tenant()));
            }
        });
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
        Rollout rollout = NextPass.rollout(changes, id);
        NextPass pass = NextPass.of(changes, rollout, id);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        Turn turn = unit.turn() == null ? unit.calledOff() : unit.turn();
        Optional<Place> found = new TurnPlanner(changes, context.terms(), rollout, id, context.now())
                .find(pass.touched(), pass.cause(), from)
                .filter(place -> !rollout.spec().isTooLate(place.at()));
        if (found.isEmpty() || !pass.moves()) {
            return found.map(place -> new Later(place.at(), Duration.between(now, place.at())));
        }
        Place place = found.get();
        Instant planned = turn == null ? place.ends() : turn.at();
        Duration delay = Duration.between(now, place.at());
        return evacuated
                .afterEvacuation(
                        lost.aroundOthers(rollout, id),
                        lost.pacing(rollout),
                        rollout,
                        id,
                        pass,
                        place,
                        EvacuatedTurns.moved(turn, true, place, place.at(), null))
                .filter(after -> !rollout.spec().isTooLate(after.at()))
                .map(after -> Duration.between(planned, after.at()))
                .map(work -> new Later(place.at(), work.compareTo(delay) > 0 ? work : delay));
    }

    /** Somebody postponed a unit: all its events have moved already. */
    void postponed(RolloutUnitId id, Instant until, String why, GroupId by, UnitPostponement granted) {
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        boolean moves = changes.open(id).filter(ActiveUnit::moves).isPresent();
        if (unit.turn() == null) {
            return;
        }
        Rollout rollout = NextPass.rollout(changes, id);
        Cause cause = moves ? Cause.HOST_REDEPLOY : rollout.spec().cause();
        Place place = new Place(until, WorkEstimates.takes(context.terms(), rollout.spec(), cause), why, by, false);
        NextPass pass = NextPass.of(changes, rollout, id);
        // What owners have delayed before counts as before.
        Instant due = unit.turn().due().plus(Duration.between(unit.turn().at(), until));
        Turn moved = EvacuatedTurns.moved(unit.turn(), moves, place, due, null);
        Turn after = moves
                ? evacuated
                        .afterEvacuation(
                                lost.aroundOthers(rollout, id), lost.pacing(rollout), rollout, id, pass, place, moved)
                        .orElse(moved)
                : moved;
        put(id, after.postponed(granted));
        dates.noteWorkAfterEvacuation(rollout, id, pass, unit.turn(), after);
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
        Rollout rollout = NextPass.rollout(changes, id);
        Optional<ActiveUnit> active = changes.open(id).filter(a -> !a.hasStarted());
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        if (rollout.standsStill() || turn == null || active.isEmpty()) {
            return;
        }
        NextPass pass = NextPass.of(changes, rollout, id);
        Instant starts = pass.moves() ? turn.next() : turn.at();
        if (!pass.touched().isEmpty() && isLate(rollout, id, pass.touched(), pass.cause(), starts)) {
            move(id, pass, starts, null);
        }
    }

    /** Moves the work on a host whose evacuation is scheduled or under way if no window is open for it any more, but one is later. */
    void moveWorkIfClosed(RolloutUnitId id) {
        Rollout rollout = NextPass.rollout(changes, id);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        NextPass pass = NextPass.of(changes, rollout, id);
        Turn turn = unit.turn();
        if (turn == null || !evacuated.hasClosed(lost.pacing(rollout), rollout, id, pass, turn)) {
            return;
        }
        Duration takes = WorkEstimates.takes(context.terms(), rollout.spec(), pass.cause());
        Place evacuation = new Place(turn.next(), takes, "", null, false);
        Optional<Turn> later = evacuated
                .afterEvacuation(
                        lost.aroundOthers(rollout, id), lost.pacing(rollout), rollout, id, pass, evacuation, turn)
                .filter(after -> after.at().isAfter(turn.at()));
        if (later.isEmpty()) {
            return;
        }
        boolean started = changes.open(id).filter(ActiveUnit::hasStarted).isPresent();
        if (rollout.spec().isTooLate(later.get().at()) && !started) {
            unitRules.setAside(
                    id, tooLate(unit, rollout, later.get().at(), later.get().why()));
            return;
        }
        put(id, later.get());
        dates.noteWorkAfterEvacuation(rollout, id, pass, turn, later.get());
    }

    private static String tooLate(RolloutUnit unit, Rollout rollout, Instant at, String why) {
        return unit.name() + " cannot start by " + rollout.spec().until() + ", but at " + at + " at the earliest"
                + (why.isEmpty() ? "" : " (" + why + ")");
    }

    /** Moves a scheduled unit whose turn has come if it is known to start later than that by more than is tolerated. */
    void moveIfLate(RolloutUnitId id) {
        Rollout rollout = NextPass.rollout(changes, id);
        Optional<ActiveUnit> active = changes.open(id).filter(a -> !a.hasStarted());
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        if (rollout.standsStill()
                || unit.turn() == null
                || !unit.isAhead()
                || unit.state() == RolloutUnit.State.OPEN && active.isEmpty()) {
            return;
        }
        NextPass pass = NextPass.of(changes, rollout, id);
        if (pass.touched().isEmpty()) {
            return;
        }
        Instant starts = pass.moves() ? unit.turn().next() : unit.turn().at();
        Instant from = starts.isBefore(context.now()) ? context.now() : starts;
        if (isLate(rollout, id, pass.touched(), pass.cause(), starts)) {
            move(id, pass, from, null, unit.turn(), starts);
        } else if (active.isPresent()
                && !lost.pacing(rollout).hasWindow(pass.touched(), pass.cause(), rollout.createdAt(), from)) {
            // Policies have changed since the unit was scheduled.
            unitRules.callOff(active.get(), RolloutUnit.State.PENDING, Actor.SERVICE, RolloutFinalizer.NO_WINDOW);
        }
    }

    /** The latest start of a rollout has passed while one of its units waits for something that has no known end. */
    void setAsideIfTooLate(RolloutUnitId id) {
        Rollout rollout = NextPass.rollout(changes, id);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        if (rollout.status() == Rollout.Status.RUNNING
                && rollout.spec().isTooLate(context.now())
                && !unit.isSetAside()) {
            unitRules.setAside(
                    id, unit.name() + " has not started by " + rollout.spec().until() + waitedFor(id));
        }
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
}
