package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Days of a fleet, judged from outside. {@code -Dsimulation.seeds=2000} lives longer; {@code -Dsimulation.first=N} begins at a seed that failed.
 */
// More than 20 s: about 30 s on one idle core. Combinations of rules are wrong only in one of many days, and 780 days
// are what that time allows.
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class FleetSimulationTest {
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 60);
    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final int DAYS = 4;

    @Test
    void noMachineGoesDownWithoutNotice() {
        List<String> violations = LongStream.range(FIRST, FIRST + SEEDS)
                .parallel()
                .mapToObj(FleetSimulationTest::violation)
                .filter(Objects::nonNull)
                .toList();
        violations.stream().limit(20).forEach(System.out::println);
        assertEquals(
                0,
                violations.size(),
                () -> violations.size() + " of " + SEEDS + " seeds; the first: " + violations.get(0));
        assertTrue(SEEDS < 10 || EARLY.sum() > 0, "nothing started ahead of its turn");
        assertTrue(SEEDS < 10 || KEPT_DATES.sum() > 0, "no start was compared with what owners had been told");
        assertTrue(SEEDS < 10 || QUORUMS.sum() > 0, "no approval was compared with the number of machines it takes");
        assertTrue(SEEDS < 10 || SIGHTINGS.sum() > 0, "no start was compared with who had seen the event");
        assertTrue(SEEDS < 10 || FULL_NOTICES.sum() > 0, "nobody was to get the notice that a rollout asked for");
    }

    /** How often promises of rollouts were put to the test, in all seeds together. */
    private static final LongAdder EARLY = new LongAdder();

    private static final LongAdder FULL_NOTICES = new LongAdder();

    private static final LongAdder KEPT_DATES = new LongAdder();

    private static final LongAdder QUORUMS = new LongAdder();

    private static final LongAdder SIGHTINGS = new LongAdder();

    private static String violation(long seed) {
        FleetSimulation simulation = new FleetSimulation(seed);
        try {
            simulation.live(Duration.ofDays(DAYS));
            simulation.calmDown(Duration.ofDays(9));
            simulation.observer.checkRolloutsAreOver();
            assertTrue(simulation.observer.starts() > 0, "nothing started");
            EARLY.add(simulation.turns.early());
            FULL_NOTICES.add(simulation.turns.fullNotices());
            KEPT_DATES.add(simulation.turns.keptDates());
            QUORUMS.add(simulation.approvals.quorums());
            SIGHTINGS.add(simulation.approvals.sightings());
            return null;
        } catch (AssertionError | RuntimeException broken) {
            return "seed " + seed + ": " + broken + "\n" + simulation.tail();
        }
    }
}
