package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.TurnPlanner.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Adapts the turn of a host to the evacuations before its work. */
final class EvacuatedTurns {
    private final ChangeSet changes;
    private final ServiceTerms terms;

    EvacuatedTurns(DecisionContext context) {
        this.changes = context.changes();
        this.terms = context.terms();
    }

    /** If a domain left its host by itself, fewer evacuations are needed. The others stay when they are, or come later. */
    Turn withoutSpareEvacuations(Rollout rollout, RolloutUnitId id, boolean moves, Turn turn) {
        int planned = turn.evacuations().size();
        if (planned == 0) {
            return turn;
        }
        List<List<AffectedMachines>> needed = moves
                ? new EvacuationOrder(changes, rollout).all(id, 0, NextPass.affected(changes, rollout, id))
                : List.of();
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

    /** Whether more update domains must leave the host by now than its turn knows. */
    boolean lacksEvacuations(Rollout rollout, RolloutUnitId id, NextPass pass, Turn turn) {
        return pass.moves()
                && new EvacuationOrder(changes, rollout)
                                .all(id, 0, NextPass.affected(changes, rollout, id))
                                .size()
                        > turn.evacuations().size();
    }

    /** The update domains whose owners were told that they are moved away, and which stay by now. */
    List<AffectedMachines> stayingByNow(Rollout rollout, RolloutUnitId id, NextPass pass, Turn turn) {
        List<AffectedMachines> staying = new ArrayList<>(NextPass.affected(changes, rollout, id));
        staying.removeIf(domain -> !turn.leaving().containsKey(EvacuationOrder.name(domain)));
        if (pass.moves() && !staying.isEmpty()) {
            new EvacuationOrder(changes, rollout)
                    .remaining(id, NextPass.affected(changes, rollout, id))
                    .forEach(staying::removeAll);
        }
        return staying;
    }

    /** Owners who are told that their machines are worked on with the host do not expect an evacuation any more. */
    static Turn staying(NextPass pass, Turn turn) {
        if (pass.moves() || turn.leaving().isEmpty()) {
            return turn;
        }
        Map<String, Instant> leaving = new HashMap<>(turn.leaving());
        pass.touched().forEach(domain -> leaving.remove(EvacuationOrder.name(domain)));
        return turn.leaving(leaving);
    }

    /** Before which time a pass must not start, because its owners were told that it does not; null if they were told nothing. */
    Instant told(Rollout rollout, RolloutUnitId id, NextPass pass, Turn turn) {
        if (turn == null || !pass.moves()) {
            return turn == null ? null : turn.at();
        }
        EvacuationOrder order = new EvacuationOrder(changes, rollout);
        List<AffectedMachines> all = NextPass.affected(changes, rollout, id);
        return Stream.concat(
                        turn.evacuations().stream().limit(1),
                        pass.touched().stream().map(domain -> order.told(turn, domain, all)))
                .max(Instant::compareTo)
                .orElseThrow();
    }

    /** The machines that an evacuation leaves on the host. */
    static List<AffectedMachines> rest(StateReader changes, Rollout rollout, RolloutUnitId id, NextPass pass) {
        List<AffectedMachines> rest = new ArrayList<>(NextPass.affected(changes, rollout, id));
        rest.removeAll(pass.touched());
        return rest;
    }

    /**
     * The turn of a unit whose next pass has that place: an evacuation is followed by the other evacuations of the host and by the work
     * itself, each with notice after the one before.
     *
     * @return empty if there is no time for one of them within a year
     */
    Optional<Turn> afterEvacuation(
            TurnPlanner planner,
            RolloutPacing pacing,
            Rollout rollout,
            RolloutUnitId id,
            NextPass pass,
            Place evacuation,
            Turn turn) {
        if (!pass.moves()) {
            return Optional.of(turn);
        }
        planner.take(pass.touched(), pass.cause(), evacuation);
        List<AffectedMachines> rest = rest(changes, rollout, id, pass);
        List<Instant> evacuations = new ArrayList<>(List.of(evacuation.at()));
        Instant from = evacuation.ends();
        EvacuationOrder order = new EvacuationOrder(changes, rollout);
        List<AffectedMachines> all = NextPass.affected(changes, rollout, id);
        Map<String, Instant> leaving = EvacuationOrder.names(pass.touched(), evacuation.at());
        for (List<AffectedMachines> moving : order.all(id, 1, rest)) {
            int number = evacuations.size();
            Instant told = moving.stream()
                    .map(domain -> order.told(turn, domain, all))
                    .max(Instant::compareTo)
                    .orElseThrow();
            Instant planned =
                    number < turn.evacuations().size() ? turn.evacuations().get(number) : from;
            planned = told.isAfter(planned) ? told : planned;
            Optional<Place> next = following(rollout, pacing, planner, moving, Cause.HOST_REDEPLOY, from, planned);
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
        boolean open = pacing.isOpen(rollout.createdAt(), rest, rollout.spec().cause(), turn.at());
        return rest.isEmpty()
                ? Optional.of(evacuated)
                : following(rollout, pacing, planner, rest, rollout.spec().cause(), from, turn.at())
                        .map(work -> work.at().isAfter(turn.at())
                                ? evacuated.moved(
                                        work.at(),
                                        open ? TurnRules.EVACUATED_FIRST : work.why(),
                                        open ? TurnPlanner.about(TurnRules.groups(pass.touched())) : work.group())
                                : evacuated);
    }

    /** What comes after an evacuation that ends then: at the planned time if there is notice enough, or else as soon as may be. */
    private Optional<Place> following(
            Rollout rollout,
            RolloutPacing pacing,
            TurnPlanner planner,
            List<AffectedMachines> touched,
            Cause cause,
            Instant evacuated,
            Instant planned) {
        Instant noticed = evacuated.plus(pacing.notice(touched, cause));
        Optional<Place> earliest = planner.find(touched, cause, noticed);
        if (earliest.filter(place -> !place.at().isAfter(planned)).isEmpty()) {
            return earliest;
        }
        return pacing.isOpen(rollout.createdAt(), touched, cause, planned)
                ? Optional.of(new Place(planned, WorkEstimates.takes(terms, rollout.spec(), cause), "", null, false))
                : planner.find(touched, cause, planned);
    }

    /** Whether a calendar was closed, since the turn of a host was set, for the work that comes after its evacuations. */
    boolean hasClosed(RolloutPacing pacing, Rollout rollout, RolloutUnitId id, NextPass pass, Turn turn) {
        if (!pass.moves()) {
            return false;
        }
        List<AffectedMachines> rest = rest(changes, rollout, id, pass);
        new EvacuationOrder(changes, rollout).all(id, 1, rest).forEach(rest::removeAll);
        return !rest.isEmpty()
                && !pacing.isOpen(rollout.createdAt(), rest, rollout.spec().cause(), turn.at());
    }

    /** @param due when it would start but for what owners asked for */
    static Turn moved(Turn before, boolean moves, Place place, Instant due, String why) {
        String reason = TurnRules.reason(place, why);
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
}
