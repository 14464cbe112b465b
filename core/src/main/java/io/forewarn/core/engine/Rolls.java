package io.forewarn.core.engine;

import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rules.Command;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * When which rollout is looked at. Pieces become free when something ends, so a rollout is looked through after that, once,
 * however much ended; and at a time, if that is all something waits for.
 */
final class Rolls {
    private static final class Round {
        int from;
        boolean wanted = true;
        boolean underWay;
        Instant at;
    }

    private final Map<String, Round> rounds = new LinkedHashMap<>();

    /** A rollout was begun, moved or ended. */
    void published(Rollout rollout) {
        if (rollout.isOver() && rollout.open() == 0) {
            rounds.remove(rollout.name());
        } else {
            rounds.computeIfAbsent(rollout.name(), name -> new Round()).wanted = true;
        }
    }

    /** Something ended somewhere: there may be room. */
    void somethingEnded() {
        rounds.values().forEach(round -> round.wanted = true);
    }

    void lookAgain(String rollout, Instant at) {
        Round round = rounds.get(rollout);
        if (round != null && (round.at == null || at.isBefore(round.at))) {
            round.at = at;
        }
    }

    /** The next slice of looking, if any is wanted. */
    Optional<Command.Roll> take(Instant now) {
        for (Map.Entry<String, Round> entry : rounds.entrySet()) {
            Round round = entry.getValue();
            if (round.at != null && !round.at.isAfter(now)) {
                round.at = null;
                round.wanted = true;
            }
            if (!round.underWay && (round.wanted || round.from > 0)) {
                if (round.from == 0) {
                    round.wanted = false;
                }
                round.underWay = true;
                return Optional.of(new Command.Roll(entry.getKey(), round.from));
            }
        }
        return Optional.empty();
    }

    /** How far the slice came: 0 if it came to the end. */
    void rolled(Command.Roll roll, int next) {
        Round round = rounds.get(roll.rollout());
        if (round != null) {
            round.from = next;
            round.underWay = false;
        }
    }

    /** The slice was not committed. */
    void again(Command.Roll roll) {
        Round round = rounds.get(roll.rollout());
        if (round != null) {
            round.wanted = true;
            round.underWay = false;
            round.from = 0;
        }
    }

    Optional<Instant> next() {
        return rounds.values().stream().map(r -> r.at).filter(at -> at != null).min(Instant::compareTo);
    }

    boolean isIdle() {
        return rounds.values().stream().noneMatch(r -> r.wanted || r.from > 0);
    }

    void load(Collection<Rollout> rollouts) {
        rollouts.forEach(this::published);
    }
}
