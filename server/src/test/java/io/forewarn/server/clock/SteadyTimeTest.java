package io.forewarn.server.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.Uptime;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.engine.TimeMark;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A wall that is set wrong does not move service time, until it has proved that it is right. */
class SteadyTimeTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration FAR = Duration.ofDays(400);
    private static final StoredTime NEW = StoredTime.NONE;

    private long nanos;
    private Instant wall = NOON;
    private Uptime uptime = new Uptime("boot-1", Duration.ofHours(1));

    private SteadyTime clock(StoredTime stored) {
        return new SteadyTime(() -> nanos, () -> wall, () -> uptime, stored);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
        uptime = new Uptime(uptime.boot(), uptime.up().plus(time));
    }

    /** Twenty looks a second are too many for a test; one a minute finds the same. */
    private void pass(SteadyTime clock, Duration time) {
        for (Duration rest = time; !rest.isZero(); rest = rest.minus(step(rest))) {
            pass(step(rest));
            clock.now();
        }
    }

    private static Duration step(Duration rest) {
        Duration minute = Duration.ofMinutes(1);
        return rest.compareTo(minute) < 0 ? rest : minute;
    }

    private static Instant now(SteadyTime clock) {
        return clock.now().wall();
    }

    private static StoredTime marked(Instant at, Uptime uptime) {
        return new StoredTime(new TimeMark(at, at, uptime, 1, Duration.ZERO, List.of()), null);
    }

    @Test
    void itIsTheWall() {
        SteadyTime clock = clock(NEW);
        assertEquals(NOON, now(clock));
        pass(clock, Duration.ofDays(3));
        assertEquals(wall, now(clock));
        assertTrue(clock.trouble().isEmpty());
    }

    @Test
    void aWallClockFarAheadForSixSecondsMovesNothingAndIsReported() {
        SteadyTime clock = clock(NEW);
        wall = wall.plus(FAR);
        assertEquals(NOON, now(clock));
        pass(clock, Duration.ofSeconds(6));
        assertEquals(NOON.plusSeconds(6), now(clock));
        assertTrue(clock.trouble().orElseThrow().contains("400d ahead of service time"), clock.trouble()::toString);
        wall = wall.minus(FAR);
        assertEquals(NOON.plusSeconds(6), now(clock));
        assertTrue(clock.trouble().orElseThrow().contains("set back by 400d"), clock.trouble()::toString);
        pass(clock, Duration.ofHours(25));
        assertTrue(clock.trouble().isEmpty(), "a day later nobody needs to know");
    }

    @Test
    void aWallThatRanInStepForAnHourIsBelievedWhereverItStands() {
        for (Duration by : new Duration[] {FAR, FAR.negated(), Duration.ofHours(2), Duration.ofHours(-2)}) {
            SteadyTime clock = clock(NEW);
            Instant before = now(clock);
            wall = wall.plus(by);
            now(clock);
            pass(clock, Duration.ofMinutes(59));
            assertEquals(before.plusSeconds(59 * 60), now(clock));
            pass(clock, Duration.ofMinutes(1));
            assertEquals(wall, now(clock));
        }
    }

    @Test
    void aWallThatKeepsJumpingIsNeverBelieved() {
        SteadyTime clock = clock(NEW);
        Random random = new Random(7);
        for (int minute = 1; minute <= 600; minute++) {
            wall = wall.plus(Duration.ofHours(random.nextInt(1000) - 300));
            pass(clock, Duration.ofMinutes(1));
            assertEquals(NOON.plusSeconds(60L * minute), now(clock));
        }
    }

    @Test
    void aWallThatIsALittleOffIsDrawnNearerTo() {
        SteadyTime clock = clock(NEW);
        wall = wall.plusSeconds(30);
        pass(clock, Duration.ofMinutes(1));
        assertEquals(NOON.plusSeconds(66), now(clock));
        pass(clock, Duration.ofMinutes(5));
        assertEquals(wall, now(clock));
    }

    @Test
    void theTimeInWhichTheMachineSleptHasPassed() {
        SteadyTime clock = clock(NEW);
        now(clock);
        Duration night = Duration.ofHours(8);
        wall = wall.plus(night);
        uptime = new Uptime(uptime.boot(), uptime.up().plus(night));
        assertEquals(NOON.plus(night), now(clock));
        wall = wall.plus(FAR);
        assertEquals(NOON.plus(night), now(clock), "but it did not sleep for 400 days");
    }

    @Test
    void aPersonsApprovalIsEnough() {
        SteadyTime clock = clock(NEW);
        now(clock);
        wall = wall.plus(FAR);
        assertEquals(FAR, clock.off(null));
        clock.repair(clock.off(null));
        assertEquals(wall, now(clock));
        pass(clock, Duration.ofHours(2));
        assertEquals(wall, now(clock));
        assertThrows(RefusedException.class, () -> clock.off("10.0.0.1:8170"));
    }

    @Test
    void afterARestartOfTheProcessTheMachineKnowsHowLongItWasAway() {
        StoredTime stored = marked(NOON, uptime);
        pass(Duration.ofMinutes(20));
        wall = wall.plus(Duration.ofDays(20));
        SteadyTime clock = clock(stored);
        assertEquals(NOON.plusSeconds(20 * 60), now(clock), "not 20 days later, as the wall says");
        assertEquals(NOON, clock.unreadableSince(stored).orElseThrow());
        assertTrue(clock.trouble().orElseThrow().contains("20d ahead of"));
    }

    @Test
    void afterARestartOfTheMachineTheWallIsBelievedForAMonth() {
        StoredTime stored = marked(NOON, new Uptime("boot-0", Duration.ofDays(9)));
        wall = NOON.plus(Duration.ofDays(3));
        assertEquals(wall, now(clock(stored)));
        wall = NOON.plus(FAR);
        SteadyTime doubtful = clock(stored);
        assertEquals(NOON, now(doubtful));
        pass(doubtful, Duration.ofHours(1));
        assertEquals(wall, now(doubtful));
        wall = NOON.minusSeconds(3600);
        assertEquals(NOON, now(clock(stored)), "and it does not go back by itself");
    }

    @Test
    void serviceTimeIsNotBeforeTheLastRecord() {
        SteadyTime clock = clock(new StoredTime(null, NOON.plusSeconds(7200)));
        assertFalse(now(clock).isBefore(NOON.plusSeconds(7200)));
    }
}
