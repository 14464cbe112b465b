package io.forewarn.core.rules;

import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which units of rollouts are worth looking at. A unit that could not be opened is looked at again when what was in its way
 * has gone, so that a rollout costs as much per unit however many it has. Nothing here is kept: after a start every unit
 * is checked.
 *
 * <table>
 *   <caption>What triggers a check</caption>
 *   <tr><td>a unit becomes pending: a start, a pass that moved machines, a retry, an event called
 * off</td><td>itself</td></tr> <tr><td>an event ends in a group, a machine of it goes up or down or has
 * recovered</td><td>units that wait for the group</td></tr> <tr><td>a rollout has no more active units</td><td>units
 * that wait for that</td></tr> <tr><td>time passes</td><td>units that wait for it</td></tr> <tr><td>the fleet or a
 * policy changes, the wall clock is set back</td><td>all units</td></tr>
 * </table>
 *
 * <p>Looking comes last in a batch of commands: whatever happens in it has happened when a unit is looked at.
 */
public final class RolloutWorkQueue {
    /** How many units are handed out together. */
    private static final int SLICE = 100;

    private record Look(Instant at, int unit) {}

    private static final class Round {
        final BitSet ready = new BitSet();
        final Map<GroupId, Set<Integer>> waiting = new HashMap<>();
        final Map<Integer, GroupId> inTheWay = new HashMap<>();
        final List<Integer> forTheirTurn = new ArrayList<>();
        /** Checks at a time. Those that are not in {@code current} were replaced, and are dropped when they come first. */
        final PriorityQueue<Look> later = new PriorityQueue<>(Comparator.comparing(Look::at));

        final Map<Integer, Look> current = new HashMap<>();
        boolean running;
        boolean callingOff;
        boolean room;
        Instant begins;

        void wakeAll() {
            waiting.values().forEach(units -> units.forEach(ready::set));
            waiting.clear();
            inTheWay.clear();
            forTheirTurn.forEach(ready::set);
            forTheirTurn.clear();
            current.keySet().forEach(ready::set);
            current.clear();
            later.clear();
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
                ready.set(look.unit);
                dropReplaced();
            }
            if (begins != null && !begins.isAfter(now)) {
                begins = null;
            }
        }

        boolean isWanted() {
            return callingOff || running && room && begins == null && !ready.isEmpty();
        }

        Optional<Instant> next() {
            dropReplaced();
            return running
                    ? Stream.of(
                                    Optional.ofNullable(begins),
                                    Optional.ofNullable(later.peek()).map(Look::at))
                            .flatMap(Optional::stream)
                            .min(Instant::compareTo)
                    : Optional.empty();
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
            round.begins = rollout.spec().selfServiceUntil();
            rounds.put(rollout.name(), round);
        }
        round.running = rollout.status() == Rollout.Status.RUNNING;
        round.callingOff = rollout.status() == Rollout.Status.ABORTED;
        round.room = rollout.hasRoom();
        if (rollout.open() == 0) {
            round.forTheirTurn.forEach(round.ready::set);
            round.forTheirTurn.clear();
        }
    }

    /** @param before null if there was none */
    public void published(RolloutUnitChunk before, RolloutUnitChunk after) {
        Round round = rounds.get(after.rollout());
        for (int i = 0; round != null && i < after.units().size(); i++) {
            boolean pending = after.unit(i).state() == RolloutUnit.State.PENDING;
            if (pending
                    && (before == null
                            || i >= before.units().size()
                            || before.unit(i).state() != RolloutUnit.State.PENDING)) {
                round.ready.set(after.chunk() * RolloutUnitChunk.SIZE + i);
            }
        }
    }

    /** An event ended in a group, or one of its machines went up or down. */
    public void moved(GroupId group) {
        for (Round round : rounds.values()) {
            Set<Integer> waiting = round.waiting.remove(group);
            if (waiting != null) {
                waiting.forEach(round.ready::set);
                round.inTheWay.keySet().removeAll(waiting);
            }
        }
    }

    /** Machines moved or policies changed: all units must be checked. */
    public void everythingMoved() {
        rounds.values().forEach(Round::wakeAll);
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
                boolean callingOff = round.callingOff;
                round.callingOff = false;
                return Optional.of(new Command.Roll(entry.getKey(), callingOff ? List.of() : slice(round.ready)));
            }
        }
        return Optional.empty();
    }

    private static List<Integer> slice(BitSet ready) {
        List<Integer> slice = ready.stream().limit(SLICE).boxed().toList();
        slice.forEach(ready::clear);
        return slice;
    }

    /** Of the units handed out, only so many were looked at. */
    public void rolled(Command.Roll roll, int looked) {
        Round round = rounds.get(roll.rollout());
        if (round != null) {
            roll.units().subList(looked, roll.units().size()).forEach(round.ready::set);
        }
    }

    /** The slice cannot be done at present. */
    public void putOff(Command.Roll roll, Instant at) {
        roll.units().forEach(unit -> waits(new BlockedUnit(new RolloutUnitId(roll.rollout(), unit), null, at, "")));
    }

    /** The slice was not committed. */
    public void again(Command.Roll roll) {
        Round round = rounds.get(roll.rollout());
        if (round != null) {
            roll.units().forEach(round.ready::set);
            round.callingOff |= roll.units().isEmpty();
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
