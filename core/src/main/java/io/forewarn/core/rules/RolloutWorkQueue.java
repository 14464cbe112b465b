package io.forewarn.core.rules;

import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Knows which units of rollouts are worth looking at. A unit is looked at when its notice begins, and again when what it waited
 * for has happened, so that a rollout costs as much per unit however many it has. Nothing here is kept: after a start
 * every unit is checked.
 *
 * <table>
 *   <caption>What triggers a check</caption>
 *   <tr><td>a unit becomes pending: a start, an evacuation that ended, a retry, an event called off; or its turn
 * moves</td><td>itself</td></tr> <tr><td>an event ends in a group, a machine of it goes up or down</td><td>units that
 * wait for the group</td></tr> <tr><td>a rollout has room for more units, or nothing open</td><td>units that wait for
 * that</td></tr> <tr><td>time passes</td><td>units that wait for it</td></tr> <tr><td>machines change hosts or
 * groups, fail, are repaired or taken away</td><td>the units of these</td></tr> <tr><td>a policy changes, the wall clock is set back</td><td>all
 * units</td></tr>
 * </table>
 *
 * <p>Looking comes last in a batch of commands: whatever happens in it has happened when a unit is looked at. Units are looked at
 * in the order of their turns.
 */
public final class RolloutWorkQueue {
    /** How many units are handed out together, so that other commands pass in between. */
    private static final int SLICE = 8;

    private record Look(Instant at, int unit) {
        private static final Comparator<Look> ORDER =
                Comparator.comparing(Look::at).thenComparingInt(Look::unit);
    }

    private static final class Round {
        final List<Instant> turns = new ArrayList<>();
        final TreeSet<Look> ready = new TreeSet<>(Look.ORDER);
        final Map<GroupId, Set<Integer>> waiting = new HashMap<>();
        final Map<Integer, GroupId> inTheWay = new HashMap<>();
        final Set<Integer> forTheirTurn = new LinkedHashSet<>();

        /** Those that wait for a time, and for the end of everything else. */
        final Set<Integer> forTheEnd = new HashSet<>();

        /** Checks at a time. Those that are not in {@code current} were replaced, and are dropped when they come first. */
        final PriorityQueue<Look> later = new PriorityQueue<>(Look.ORDER);

        final Map<Integer, Look> current = new HashMap<>();

        /**
         * Units to which machines came, with these machines, or whose machines changed their update domain, and which were not
         * looked at since.
         */
        final Map<Integer, List<MachineId>> changed = new HashMap<>();

        Rollout rollout;
        boolean running;

        /** Whether the rest of what is scheduled is to be called off, or turns are to be moved, until that is handed out. */
        boolean callingOff;

        boolean replanning;

        void begin() {
            running = rollout.status() == Rollout.Status.RUNNING;
            callingOff = rollout.status() == Rollout.Status.ABORTED;
            replanning = running && rollout.isReplanning();
        }

        /** By its turn; a unit without one comes first, because it may be placed before others. */
        void wake(int unit) {
            Instant turn = unit < turns.size() ? turns.get(unit) : null;
            ready.add(new Look(turn == null ? Instant.MIN : turn, unit));
        }

        void wakeAll() {
            waiting.values().forEach(units -> units.forEach(this::wake));
            waiting.clear();
            inTheWay.clear();
            wakeForTheirTurn();
            current.keySet().forEach(this::wake);
            current.clear();
            forTheEnd.clear();
            later.clear();
        }

        void wakeForTheEnd() {
            forTheEnd.forEach(this::wake);
            forTheEnd.clear();
        }

        void wakeForTheirTurn() {
            forTheirTurn.forEach(this::wake);
            forTheirTurn.clear();
        }

        /** A unit that was woken early and waits again is checked once, not also at the time it waited for before. */
        void lookAt(Instant at, int unit) {
            Look look = new Look(at, unit);
            if (!look.equals(current.put(unit, look))) {
                later.add(look);
            }
        }

        private void dropReplaced() {
            while (!later.isEmpty() && !later.peek().equals(current.get(later.peek().unit))) {
                later.remove();
            }
        }

        void wakeDue(Instant now) {
            dropReplaced();
            while (!later.isEmpty() && !later.peek().at.isAfter(now)) {
                Look look = later.remove();
                current.remove(look.unit);
                wake(look.unit);
                dropReplaced();
            }
        }

        boolean isWanted() {
            return callingOff || replanning || running && !rollout.isReplanning() && !ready.isEmpty();
        }

        List<Integer> slice() {
            List<Integer> slice = new ArrayList<>();
            if (!callingOff && !replanning) {
                while (slice.size() < SLICE && !ready.isEmpty()) {
                    slice.add(ready.pollFirst().unit);
                }
            }
            callingOff = false;
            replanning = false;
            return slice;
        }

        void change(Map<Integer, List<MachineId>> units) {
            units.forEach((unit, came) ->
                    changed.merge(unit, came, (before, more) -> Stream.concat(before.stream(), more.stream())
                            .distinct()
                            .toList()));
        }

        /** What has changed of these units, which are looked at now. */
        Map<Integer, List<MachineId>> takeChanged(List<Integer> units) {
            Map<Integer, List<MachineId>> taken = new HashMap<>();
            for (Integer unit : units) {
                List<MachineId> came = changed.remove(unit);
                if (came != null) {
                    taken.put(unit, came);
                }
            }
            return taken;
        }

        Optional<Instant> next() {
            dropReplaced();
            return running ? Optional.ofNullable(later.peek()).map(Look::at) : Optional.empty();
        }
    }

    private final Map<String, Round> rounds = new LinkedHashMap<>();
    private Instant latest = Instant.MIN;

    /** A rollout was started, changed or ended. */
    public void published(Rollout rollout) {
        if (rollout.isOver() && rollout.open() == 0) {
            rounds.remove(rollout.name());
            return;
        }
        Round round = rounds.get(rollout.name());
        if (round == null) {
            round = new Round();
            rounds.put(rollout.name(), round);
        }
        round.rollout = rollout;
        round.begin();
        if (rollout.open() == 0 || rollout.hasRoom()) {
            round.wakeForTheirTurn();
        }
        if (rollout.open() == 0) {
            round.wakeForTheEnd();
        }
    }

    /** @param before null if there was none */
    public void published(RolloutUnitChunk before, RolloutUnitChunk after) {
        Round round = rounds.get(after.rollout());
        for (int i = 0; round != null && i < after.units().size(); i++) {
            RolloutUnit was = before == null || i >= before.units().size() ? null : before.unit(i);
            RolloutUnit unit = after.unit(i);
            int number = after.chunk() * RolloutUnitChunk.SIZE + i;
            Instant turn = unit.turn() == null ? null : unit.turn().next();
            while (round.turns.size() <= number) {
                round.turns.add(null);
            }
            Instant known = round.turns.set(number, turn);
            // After a start of the service also those that are scheduled: what they waited for is not known any more.
            boolean wanted = was == null
                    ? unit.isAhead()
                    : unit.state() == RolloutUnit.State.PENDING
                            && (was.state() != unit.state() || !Objects.equals(known, turn));
            if (wanted) {
                round.wake(number);
            }
        }
    }

    /** An event ended in a group, or one of its machines went up or down. */
    public void moved(GroupId group) {
        for (Round round : rounds.values()) {
            Set<Integer> waiting = round.waiting.remove(group);
            if (waiting != null) {
                waiting.forEach(round::wake);
                round.inTheWay.keySet().removeAll(waiting);
            }
        }
    }

    /**
     * The machines of some units of a rollout changed.
     *
     * @param changed those to which machines came, with these machines, or whose machines changed their update domain
     */
    public void moved(String rollout, Collection<Integer> units, Map<Integer, List<MachineId>> changed) {
        Round round = rounds.get(rollout);
        if (round != null) {
            units.forEach(round::wake);
            round.change(changed);
            round.wakeForTheirTurn();
        }
    }

    /** Policies changed: all units must be checked. */
    public void everythingMoved() {
        rounds.values().forEach(Round::wakeAll);
    }

    /** A unit must be checked although it has events. */
    public void moved(RolloutUnitId unit) {
        Optional.ofNullable(rounds.get(unit.rollout())).ifPresent(round -> round.wake(unit.unit()));
    }

    public void waits(BlockedUnit why) {
        Round round = rounds.get(why.unit().rollout());
        if (round == null) {
            return;
        }
        int unit = why.unit().unit();
        if (why.at() == null) {
            round.current.remove(unit);
        } else {
            round.lookAt(why.at(), unit);
        }
        round.forTheEnd.remove(unit);
        if (why.untilIdle() && why.at() != null) {
            round.forTheEnd.add(unit);
        }
        GroupId before = round.inTheWay.remove(unit);
        if (before != null) {
            round.waiting.computeIfPresent(before, (g, units) -> units.remove(unit) && units.isEmpty() ? null : units);
        }
        if (why.group() != null) {
            round.waiting.computeIfAbsent(why.group(), g -> new HashSet<>()).add(unit);
            round.inTheWay.put(unit, why.group());
        } else if (why.at() == null) {
            round.forTheirTurn.add(unit);
        }
    }

    /** The next units to look at, if any are worth it. */
    public Optional<Command.Roll> take(Instant now) {
        if (now.isBefore(latest)) {
            // The wall clock was set back, so that units that wait for a time may have to wait for hours.
            everythingMoved();
        }
        latest = now;
        for (Map.Entry<String, Round> entry : rounds.entrySet()) {
            Round round = entry.getValue();
            round.wakeDue(now);
            if (round.isWanted()) {
                List<Integer> units = round.slice();
                return Optional.of(new Command.Roll(entry.getKey(), units, round.takeChanged(units)));
            }
        }
        return Optional.empty();
    }

    /** Of the units handed out, only so many were looked at. */
    public void rolled(Command.Roll roll, int looked) {
        Round round = rounds.get(roll.rollout());
        if (round != null) {
            List<Integer> rest = roll.units()
                    .subList(Math.min(looked, roll.units().size()), roll.units().size());
            rest.forEach(round::wake);
            Map<Integer, List<MachineId>> unseen = new HashMap<>(roll.changed());
            unseen.keySet().retainAll(rest);
            round.change(unseen);
        }
    }

    /** The slice cannot be done at present. */
    public void putOff(Command.Roll roll, Instant at) {
        roll.units().forEach(unit -> waits(BlockedUnit.forTime(new RolloutUnitId(roll.rollout(), unit), at, "")));
        keepChanged(roll);
    }

    /** The slice was not committed. */
    public void again(Command.Roll roll) {
        Round round = rounds.get(roll.rollout());
        if (round != null) {
            roll.units().forEach(round::wake);
            keepChanged(roll);
            if (roll.units().isEmpty()) {
                round.begin();
            }
        }
    }

    private void keepChanged(Command.Roll roll) {
        Round round = rounds.get(roll.rollout());
        if (round != null) {
            round.change(roll.changed());
        }
    }

    public Optional<Instant> next() {
        return rounds.values().stream()
                .map(Round::next)
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    public boolean isIdle() {
        return rounds.values().stream().noneMatch(Round::isWanted);
    }
}
