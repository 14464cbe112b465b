package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommitFeed.Beat;
import io.forewarn.core.engine.StoredTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterClockTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private long nanos;
    private Instant wall = NOON;
    private final ClusterClock line = new ClusterClock(() -> nanos, () -> wall);

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
    void aFollowerUsesTheWritersTimeWhateverItsOwnClockShows() {
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
    void whatANodeDidNotAnswerIsMissedUnlessAWriterWasHeardSince() {
        line.heard(new Beat(NOON, 1), nanos);
        long before = nanos;
        assertTrue(line.unreadableSince(StoredTime.NONE).isEmpty(), "others answer");
        pass(Duration.ofSeconds(95));
        line.stalled(Duration.ofSeconds(95));
        line.heard(new Beat(NOON, 1), before);
        assertEquals(NOON, line.unreadableSince(StoredTime.NONE).orElseThrow(), "it was sent before");
        line.heard(
                new Beat(NOON.plusSeconds(60), 1),
                nanos - Duration.ofSeconds(35).toNanos());
        assertEquals(NOON.plusSeconds(60), line.unreadableSince(StoredTime.NONE).orElseThrow());
        pass(Duration.ofSeconds(1));
        line.heard(new Beat(NOON.plusSeconds(96), 1), nanos);
        assertTrue(line.unreadableSince(StoredTime.NONE).isEmpty());
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
    void clusterTimeResumesNoEarlierThanTheLastKnownTime() {
        line.resumes(NOON.plusSeconds(30));
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

    private static final Duration FAR = Duration.ofDays(400);

    /** @param offs by how much the clock of each node is ahead of the cluster's time; null if it says nothing */
    private void vote(Duration... offs) {
        Map<String, ClockVote> said = new HashMap<>();
        Set<String> nodes = new HashSet<>();
        for (int i = 0; i < offs.length; i++) {
            nodes.add("node-" + i);
            if (offs[i] != null) {
                said.put("node-" + i, new ClockVote(now().plus(offs[i]), now(), false));
            }
        }
        line.voted(new ClockVotes(nodes, said));
    }

    @Test
    void aNodeThatStartsFirstWithAWrongClockGoesOnFromTheStoredTime() {
        wall = NOON.plus(FAR);
        now();
        line.resumes(NOON);
        line.leads(true);
        assertEquals(NOON, now());
        assertEquals(NOON, line.unreadableSince(StoredTime.NONE).orElseThrow());
        vote(FAR);
        pass(Duration.ofSeconds(10));
        assertEquals(NOON.plusSeconds(10), now());
        vote(FAR, Duration.ofSeconds(300));
        assertEquals(NOON.plusSeconds(10), now(), "one against one");
        vote(FAR, Duration.ofSeconds(3000), Duration.ofSeconds(3001));
        assertEquals(NOON.plusSeconds(10 + 3001), now(), "two against one");
        assertEquals(NOON.plusSeconds(10 + 3001), now(), "and what they said before is no reason to leap again");
        vote(FAR.minusSeconds(3001), Duration.ZERO, Duration.ZERO);
        pass(Duration.ofHours(2));
        assertEquals(NOON.plusSeconds(10 + 3001 + 7200), now(), "though its own has run in step for an hour by now");
    }

    @Test
    void aNodeAloneWithAWallThatRanInStepForAnHourIsBelieved() {
        wall = NOON.plus(FAR);
        line.resumes(NOON);
        line.leads(true);
        vote(FAR);
        pass(Duration.ofMinutes(59));
        assertEquals(NOON.plusSeconds(59 * 60), now());
        pass(Duration.ofMinutes(1));
        assertEquals(wall, now());
    }

    @Test
    void aShortStopOfAllNodesIsBelievedAtOnce() {
        wall = NOON.plusSeconds(180);
        line.resumes(NOON);
        assertEquals(wall, now());
    }

    @Test
    void aWriterWhoseClockJumpsDoesNotMoveOtherNodes() {
        line.leads(true);
        now();
        wall = wall.plusSeconds(300);
        vote(Duration.ofSeconds(300), Duration.ZERO, Duration.ZERO);
        pass(Duration.ofSeconds(20));
        assertEquals(NOON.plusSeconds(20), now(), "not even by a little");
    }

    @Test
    void clocksThatJumpedTogetherAreNotBelievedAtOnce() {
        line.leads(true);
        now();
        ClockVote jumped = new ClockVote(NOON.plus(FAR), NOON, true);
        line.voted(new ClockVotes(Set.of("a", "b", "c"), Map.of("a", jumped, "b", jumped, "c", jumped)));
        pass(Duration.ofSeconds(10));
        assertEquals(NOON.plusSeconds(10), now());
    }

    @Test
    void aFollowerGoesAlongWhenTheWriterLeapsBack() {
        line.heard(new Beat(NOON.plus(FAR), 1), nanos);
        now();
        pass(Duration.ofSeconds(1));
        line.heard(new Beat(NOON, 1), nanos);
        assertEquals(NOON, now());
    }

    @Test
    void aPersonChoosesTheRightClock() {
        line.leads(true);
        now();
        vote(Duration.ZERO, FAR);
        assertEquals(
                "no more than half of the nodes' clocks agree; name the node whose clock is right with --node HOST:PORT; their offsets"
                        + " from the cluster's time: node-0 +0ms, node-1 +400d",
                assertThrows(RefusedException.class, () -> line.off(null)).getMessage());
        assertThrows(RefusedException.class, () -> line.off("node-9"));
        assertEquals(FAR, line.off("node-1"));
        line.repair(FAR);
        assertEquals(NOON.plus(FAR), now());
    }

    @Test
    void clockReadingsOfNodesRoundTrip() {
        ClockVote vote = new ClockVote(NOON.plus(FAR), NOON, true);
        assertEquals(vote, ClockVote.of(vote.text()).orElseThrow());
        assertEquals(FAR, vote.off());
        assertTrue(ClockVote.of("wall=noon at=night").isEmpty());
        assertTrue(ClockVote.of("").isEmpty());
    }
}
