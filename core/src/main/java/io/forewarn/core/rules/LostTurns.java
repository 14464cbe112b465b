package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.UpcomingUnits.Ahead;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Finds units of a rollout that cannot keep their turns: after a pause, because a calendar has changed, or because another is retried before them. */
final class LostTurns {
    /** In a rollout with more units than this, not all of them are looked at for one that moves. */
    private static final int MOST_LOOKED_AT = 1000;

    private final DecisionContext context;
    private final ChangeSet changes;
    private final RolloutUnitRules unitRules;
    private final EvacuatedTurns evacuated;

    /** Units that must move because one that failed is retried before them, and have not moved yet. */
    private final Set<RolloutUnitId> makingWay = new HashSet<>();

    /** Whether units are to be moved: those that move together ask that of each other. */
    private final Map<RolloutUnitId, Boolean> judged = new HashMap<>();

    private RolloutPacing pacing;
    private RolloutSpec pacingOf;

    LostTurns(DecisionContext context) {
        this.context = context;
        this.changes = context.changes();
        this.unitRules = new RolloutUnitRules(context);
        this.evacuated = new EvacuatedTurns(context);
    }

    /** The unit has another turn now. */
    void moved(RolloutUnitId id) {
        judged.remove(id);
    }

    /** A unit is retried in the place of this one. */
    void makeWay(RolloutUnitId id) {
        makingWay.add(id);
    }

    /** The units that make way for one that is retried. */
    Set<RolloutUnitId> makingWay() {
        return makingWay;
    }

    /** Of the rollout that was asked about last: it is asked about all of its units. */
    RolloutPacing pacing(Rollout rollout) {
        if (pacing == null || pacingOf != rollout.spec()) {
            pacing = new RolloutPacing(changes, context.terms(), rollout.spec(), context.now());
            pacingOf = rollout.spec();
        }
        return pacing;
    }

    /**
     * The units that cannot get the least notice since the rollout was resumed, or whose calendars are closed at their turns, in the
     * order of their turns; of many only the first. If not all units are looked at, only the hours of the rollout count for those
     * that are not shown soon: what policies close for them is seen later, when they are looked at one by one.
     */
    List<RolloutUnitId> behind(Rollout rollout, int most, boolean all) {
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
    TurnPlanner aroundOthers(Rollout rollout, RolloutUnitId id) {
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
            Rollout rollout = NextPass.rollout(changes, id);
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
        NextPass pass = NextPass.of(changes, rollout, id);
        return !pass.touched().isEmpty()
                && !isCrowded(rollout, id)
                && (isTooSoon(rollout, id, pass, planned) || hasClosed(rollout, id, pass, planned));
    }

    /** Whether a unit has no events and cannot be worked on as it is: no date can be promised. */
    private boolean isCrowded(Rollout rollout, RolloutUnitId id) {
        return changes.open(id).isEmpty()
                && new RolloutPartitioner(changes, rollout.spec())
                        .isCrowded(UpcomingUnits.unit(changes, id).name(), rollout);
    }

    boolean isTooSoon(Rollout rollout, RolloutUnitId id, NextPass pass, Turn planned) {
        return rollout.isReplanning()
                && evacuated
                        .withoutSpareEvacuations(rollout, id, pass.moves(), planned)
                        .next()
                        .isBefore(rollout.replanning().plus(owedNotice(rollout, id, pass)));
    }

    /** Whether a calendar that was open at a turn is so no more. What machines are shown already may start a little late. */
    private boolean hasClosed(Rollout rollout, RolloutUnitId id, NextPass pass, Turn planned) {
        Instant turn = evacuated
                .withoutSpareEvacuations(rollout, id, pass.moves(), planned)
                .next();
        RolloutPacing pacing = pacing(rollout);
        if (pacing.isOpen(rollout.createdAt(), pass.touched(), pass.cause(), turn)) {
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
                && WindowSearch.earliest(turn, pacing.calendarsUntil(pass.touched(), pass.cause(), ownersUntil))
                        .filter(opens -> opens.isAfter(tolerated))
                        .isPresent();
    }

    /**
     * The notice that a unit must get after a pause; one that is approved needs none, but a place of its own. What counts as approved
     * only because nothing runs may not be by then.
     */
    Duration owedNotice(Rollout rollout, RolloutUnitId id, NextPass pass) {
        boolean mayLapse = changes.open(id).map(ActiveUnit::parts).orElse(List.of()).stream()
                .map(unitRules::event)
                .anyMatch(StartRules::mayLapse);
        return UpcomingUnits.isApproved(changes, id) && !mayLapse
                ? Duration.ZERO
                : pacing(rollout).leastNotice(pass.touched(), pass.cause());
    }
}
