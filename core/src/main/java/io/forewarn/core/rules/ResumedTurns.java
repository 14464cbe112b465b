package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.TurnPlanner.Place;
import io.forewarn.core.rules.UpcomingUnits.Upcoming;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Gives units other turns when their rollout is resumed: those that lost theirs while it stood still, and those that are retried. */
final class ResumedTurns {
    /** Limited so that other commands are processed in between. */
    private static final int MOVED_PER_COMMAND = 20;

    /** How many turns a resume moves itself, so that its answer shows them, and is a refusal if one is too late. */
    private static final int MOVED_BY_RESUME = 200;

    private static final String RETRIED = "it failed and is retried";

    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;
    private final LostTurns lost;
    private final TurnRules turns;
    private final PlannedDates dates;
    private final EvacuatedTurns evacuated;
    private final Set<RolloutUnitId> retried = new HashSet<>();

    ResumedTurns(DecisionContext context) {
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
        this.lost = new LostTurns(context);
        this.turns = new TurnRules(context, lost);
        this.dates = new PlannedDates(context);
        this.evacuated = new EvacuatedTurns(context);
    }

    /**
     * Gives a failed unit another turn. If it left machines down, that turn is ahead of the rest of its rollout, because they keep the
     * other update domains of their groups waiting; the units of the rollout that are in its way are to be moved next, by {@link
     * #replanAtOnce}.
     */
    void retry(RolloutUnitId id, Duration notice) {
        Rollout rollout = NextPass.rollout(changes, id);
        NextPass pass = NextPass.of(changes, rollout, id);
        Instant from = context.now().plus(noticeOfRetry(rollout, pass, notice));
        retried.add(id);
        boolean down = NextPass.affected(changes, rollout, id).stream()
                .anyMatch(share -> RolloutPacing.hasFailed(changes, share));
        if (!down) {
            turns.move(id, pass, from, RETRIED).ifPresent(turn -> turns.put(id, turn.shownAhead(notice)));
            return;
        }
        Set<RolloutUnitId> behind = behind(rollout, id, pass);
        Optional<Place> place = pass.touched().isEmpty()
                ? Optional.empty()
                : TurnPlanner.beforeOthers(
                                changes,
                                context.terms(),
                                rollout,
                                id,
                                context.now(),
                                other -> behind.contains(other) || hasLostItsTurn(rollout, other))
                        .find(pass.touched(), pass.cause(), from);
        RolloutUnit unit = UpcomingUnits.unit(changes, id);
        if (place.isEmpty()
                || unit.turn() == null
                || rollout.spec().isTooLate(place.get().at())) {
            // Looked at like any other unit, which halts the rollout if it is too late.
            turns.move(id, pass, from, null);
            return;
        }
        Turn before = evacuated.withoutSpareEvacuations(rollout, id, pass.moves(), unit.turn());
        Turn again = EvacuatedTurns.moved(
                        before, pass.moves(), place.get(), place.get().at(), RETRIED)
                .shownAhead(notice);
        again = evacuated
                .afterEvacuation(
                        lost.aroundOthers(rollout, id), lost.pacing(rollout), rollout, id, pass, place.get(), again)
                .orElse(again);
        turns.put(id, again);
        dates.noteNext(
                rollout,
                pass,
                unit.turn(),
                again,
                TurnRules.reason(place.get(), RETRIED),
                place.get().group());
        dates.noteWorkAfterEvacuation(rollout, id, pass, before, again);
        for (AffectedMachines affected : pass.touched()) {
            noteInTheWay(rollout, id, affected, place.get());
        }
    }

    /** Gives a unit that could not be worked on its turn back, or another if that is too near. */
    void placeAgain(RolloutUnitId id, Duration notice) {
        Rollout rollout = NextPass.rollout(changes, id);
        NextPass pass = NextPass.of(changes, rollout, id);
        Instant from = context.now().plus(noticeOfRetry(rollout, pass, notice));
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        if (turn == null || turn.next().isBefore(from)) {
            turns.move(id, pass, from, null);
        }
        Turn placed = UpcomingUnits.unit(changes, id).turn();
        if (placed != null && notice != null) {
            turns.put(id, placed.shownAhead(notice));
        }
    }

    private Duration noticeOfRetry(Rollout rollout, NextPass pass, Duration wanted) {
        Duration least = lost.pacing(rollout).leastNotice(pass.touched(), pass.cause());
        return wanted == null || wanted.compareTo(least) < 0 ? least : wanted;
    }

    /** Whether a unit gets another turn by the resume in any case: what it missed is free. */
    private boolean hasLostItsTurn(Rollout rollout, RolloutUnitId id) {
        return !retried.contains(id)
                && changes.open(id).filter(ActiveUnit::hasStarted).isEmpty()
                && lost.isTooSoon(
                        rollout,
                        id,
                        NextPass.of(changes, rollout, id),
                        UpcomingUnits.unit(changes, id).turn());
    }

    /** The units of the rollout that wait for the machines of this one. */
    private Set<RolloutUnitId> behind(Rollout rollout, RolloutUnitId id, NextPass pass) {
        Set<RolloutUnitId> behind = new HashSet<>();
        UpcomingUnits units = new UpcomingUnits(changes, context.terms());
        for (AffectedMachines affected : pass.touched()) {
            units.in(affected.group()).stream()
                    .filter(other -> isBehind(rollout, id, affected, other))
                    .forEach(other -> behind.add(other.unit()));
        }
        return behind;
    }

    private static boolean isBehind(Rollout rollout, RolloutUnitId id, AffectedMachines affected, Upcoming other) {
        return other.rollout().name().equals(rollout.name())
                && !other.unit().equals(id)
                && other.updateDomain() != affected.updateDomain();
    }

    private void noteInTheWay(Rollout rollout, RolloutUnitId id, AffectedMachines affected, Place place) {
        Duration recovery = RolloutPacing.recovery(rollout.spec(), context.terms());
        for (Upcoming other : new UpcomingUnits(changes, context.terms()).in(affected.group())) {
            boolean inTheWay = isBehind(rollout, id, affected, other)
                    && other.at().isBefore(place.ends().plus(recovery))
                    && place.at().isBefore(other.at().plus(other.takes()).plus(recovery));
            if (inTheWay) {
                lost.makeWay(other.unit());
            }
        }
    }

    /** Why a rollout must not go on: a unit keeps a turn that is too late. */
    Optional<String> tooLate(Rollout rollout) {
        return UpcomingUnits.ahead(changes, rollout)
                .filter(unit -> rollout.spec().isTooLate(unit.unit().turn().at()))
                .filter(unit -> changes.open(unit.id(rollout))
                        .filter(active -> active.hasStarted() && !active.moves())
                        .isEmpty())
                .filter(unit ->
                        !NextPass.affected(changes, rollout, unit.id(rollout)).isEmpty())
                .min(Comparator.comparing(unit -> unit.unit().turn().at()))
                .map(unit -> unit.unit().name() + " cannot start by "
                        + rollout.spec().until() + ", because its turn is "
                        + unit.unit().turn().at()
                        + " and never moves earlier" + RolloutFinalizer.TOO_LATE);
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
        List<RolloutUnitId> behind = lost.behind(rollout, most + 1, all);
        List<RolloutUnitId> moving = Stream.concat(
                        lost.makingWay().stream(), behind.stream().limit(most))
                .distinct()
                .sorted(Comparator.comparing((RolloutUnitId id) -> !retried.contains(id))
                        .thenComparing(
                                id -> UpcomingUnits.unit(changes, id).turn().next())
                        .thenComparing(RolloutUnitId::unit))
                .toList();
        for (RolloutUnitId id : moving) {
            if (moveBehind(rollout, id).isEmpty()) {
                if (NextPass.rollout(changes, id).status() != Rollout.Status.RUNNING) {
                    changes.put(NextPass.rollout(changes, id).replanningSince(null));
                    return;
                }
                RolloutUnit unit = UpcomingUnits.unit(changes, id);
                if (unit.isSetAside() && !NextPass.rollout(changes, id).isReplanning()) {
                    throw new RefusedException(Problem.CONFLICT, unit.why() + RolloutFinalizer.TOO_LATE);
                }
                // There is no window for it; that is judged when everything else is over.
                new CancelledDates(context).of(id, RolloutFinalizer.NO_WINDOW);
                changes.open(id)
                        .ifPresent(active -> unitRules.callOff(
                                active, RolloutUnit.State.PENDING, Actor.SERVICE, RolloutFinalizer.NO_WINDOW));
                lost.moved(id);
                changes.put(unitRules.chunk(id).withoutTurn(id.unit()));
            }
        }
        Rollout now = changes.rollout(rollout.name()).orElseThrow();
        // Put in any case, so that the rest is done next.
        changes.put(behind.size() <= most ? now.replanningSince(null) : now);
    }

    private Optional<Turn> moveBehind(Rollout rollout, RolloutUnitId id) {
        NextPass pass = NextPass.of(changes, rollout, id);
        Instant since = rollout.isReplanning() ? rollout.replanning() : context.now();
        Turn turn = UpcomingUnits.unit(changes, id).turn();
        boolean inTheWay = lost.makingWay().remove(id);
        String why = null;
        if (lost.isTooSoon(rollout, id, pass, turn)) {
            why = "the rollout was paused or halted";
        } else if (inTheWay) {
            why = "a unit that failed is retried before it";
        }
        return turns.move(id, pass, since.plus(lost.owedNotice(rollout, id, pass)), why);
    }
}
