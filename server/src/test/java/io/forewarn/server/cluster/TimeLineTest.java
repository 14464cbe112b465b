package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.Feed.Beat;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeLineTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private long nanos;
    private Instant wall = NOON;
    private final TimeLine line = new TimeLine(() -> nanos, () -> wall);

    private void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    private Instant now() {
        return line.now().wall();
    }

    @Test
    void aloneItIsTheWall() {
        assertEquals(NOON, now());
        pass(Duration.ofHours(3));
        assertEquals(wall, now());
    }

    @Test
    void aFollowerGoesByTheBeatWhateverItsOwnWallSays() {
        Instant theirs = NOON.plusSeconds(100);
        line.heard(new Beat(theirs, 1), nanos);
        assertEquals(theirs, now());
        pass(Duration.ofSeconds(7));
        assertEquals(theirs.plusSeconds(7), now());
        wall = wall.plusSeconds(86_400);
        assertEquals(theirs.plusSeconds(7), now());
        assertEquals(Duration.ofSeconds(86_400 - 100), line.off());
    }

    @Test
    void aNewWriterGoesOnAndDrawsNearerToItsWallByATenthOfTheTime() {
        line.heard(new Beat(NOON.plusSeconds(10), 1), nanos);
        now();
        line.leads(true);
        assertEquals(NOON.plusSeconds(10), now());
        pass(Duration.ofSeconds(50));
        assertEquals(NOON.plusSeconds(10 + 50 - 5), now());
        pass(Duration.ofSeconds(1000));
        assertEquals(wall, now());
    }

    @Test
    void itBeginsNoEarlierThanSomebodyWasThereOnce() {
        line.notBefore(NOON.plusSeconds(30));
        assertEquals(NOON.plusSeconds(30), now());
        line.leads(true);
        pass(Duration.ofSeconds(10));
        assertEquals(NOON.plusSeconds(39), now());
    }

    /** Else it would stand still for an hour, believed by nobody, and take the cluster along if it came to write. */
    @Test
    void aNodeThatStartsWithAClockAnHourAheadTakesTheClustersTimeWhenItHearsIt() {
        wall = wall.plusSeconds(3600);
        assertEquals(wall, now());
        line.heard(new Beat(NOON.plusSeconds(1), 1), nanos);
        assertEquals(NOON.plusSeconds(1), now());
        pass(Duration.ofSeconds(7));
        line.leads(true);
        assertEquals(NOON.plusSeconds(8), now());
    }

    @Test
    void itNeverGoesBackAndALeaderNeverJumps() {
        Random random = new Random(4);
        line.heard(new Beat(NOON, 1), nanos);
        Instant last = now();
        boolean leads = false;
        for (int i = 0; i < 10_000; i++) {
            Duration step = Duration.ofMillis(random.nextInt(2000));
            pass(step);
            boolean turned = false;
            switch (random.nextInt(6)) {
                case 0 -> wall = wall.plusMillis(random.nextInt(20_000) - 10_000);
                case 1 -> {
                    if (!leads) {
                        line.heard(new Beat(last.plusMillis(random.nextInt(4000) - 2000), 1), nanos);
                    }
                }
                case 2 -> {
                    if (random.nextInt(10) == 0) {
                        leads = !leads;
                        turned = true;
                        line.leads(leads);
                    }
                }
                default -> {
                    // Time passes.
                }
            }
            Instant now = now();
            assertFalse(now.isBefore(last), now + " after " + last);
            if (leads && !turned) {
                Duration passed = Duration.between(last, now);
                assertTrue(passed.compareTo(step.multipliedBy(11).dividedBy(10).plusMillis(1)) <= 0);
                assertTrue(passed.compareTo(step.multipliedBy(9).dividedBy(10).minusMillis(1)) >= 0);
            }
            last = now;
        }
    }
}
