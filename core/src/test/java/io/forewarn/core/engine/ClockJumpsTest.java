package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.StartBlocker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Service time that is set starts, ends, silences and deletes nothing by itself, and what could not be read is no notice. */
class ClockJumpsTest {
    private static final Duration FAR = Duration.ofDays(400);
    private static final Duration GRACE = Duration.ofMinutes(1);

    private static EngineHarness worldWithGrace() {
        EngineHarness world = EngineHarness.enabled();
        world.grace = GRACE;
        world.open();
        world.pass(GRACE);
        return world;
    }

    private static Phase phase(EngineHarness world, EventId id) {
        return world.event(id).orElseThrow().phase();
    }

    private static Duration given(EngineHarness world, EventId id) {
        return world.history.stream()
                .filter(e -> id.equals(e.event()) && e.given() != null)
                .map(HistoryEntry::given)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aWallThatIsFarAheadForAMomentDropsNoHistory() {
        EngineHarness world = EngineHarness.enabled();
        int pages = world.log().size();
        int audit = world.audit().size();
        Instant before = world.now();
        world.setWall(before.plus(FAR));
        world.pass(Duration.ofHours(2));
        world.setWall(before.plusSeconds(7200));
        assertEquals(pages, world.log().size());
        assertEquals(audit, world.audit().size());
        assertEquals(0, world.swept.size());
    }

    private static long tokens(EngineHarness world) {
        return world.log().stream()
                .filter(e -> e.what().equals(HistoryEntry.What.TOKEN_ADDED.name()))
                .count();
    }

    @Test
    void aWallThatStaysFarAheadDropsTwoDaysOfTheLogADay() {
        EngineHarness world = EngineHarness.enabled();
        for (int day = 0; day < 80; day++) {
            world.pass(Duration.ofDays(1));
            world.ask(new Command.AddToken(
                    new ApiToken("t" + day, "*", Role.VIEWER, "ab".repeat(32), world.now(), null),
                    EngineHarness.PERSON));
        }
        world.setWall(world.now().plus(FAR));
        world.pass(Duration.ofDays(1));
        world.pass(Duration.ofDays(3));
        assertEquals(80, tokens(world));
        // After 5 days the first is 90 days old at twice the speed; after 10 the first ten are.
        for (int day = 0; day < 6; day++) {
            world.pass(Duration.ofDays(1));
        }
        assertTrue(tokens(world) < 80, "something went");
        assertTrue(tokens(world) >= 69, "but not more than two days a day: " + tokens(world));
        assertFalse(world.swept.isEmpty(), "and it was said");
    }

    @Test
    void aRestartNeitherResetsNorHurriesTheAgeOfHistory() {
        EngineHarness world = EngineHarness.enabled();
        world.pass(Duration.ofDays(60));
        world.setWall(world.now().plus(FAR));
        for (int hours = 0; hours < 24 * 14; hours += 8) {
            world.pass(Duration.ofHours(8));
            world.open();
        }
        assertFalse(world.log().isEmpty(), "60 days and 14 that count twice are less than 90");
        for (int hours = 0; hours < 24 * 4; hours += 8) {
            world.pass(Duration.ofHours(8));
            world.open();
        }
        world.pass(Duration.ofHours(2));
        assertTrue(
                world.log().stream().noneMatch(e -> e.at().isBefore(EngineHarness.START.plusSeconds(60))),
                "18 days are more");
    }

    @Test
    void verificationReportsWhatRetentionRemoved() {
        EngineHarness world = EngineHarness.enabled();
        world.pass(Duration.ofDays(89));
        world.poll(EngineHarness.WEB, "m0");
        world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofDays(2));
        AuditVerifier.Finding found = world.verify();
        assertTrue(found.intact());
        assertTrue(found.dropped().dropped().number() > 0);
        assertEquals(world.now(), found.dropped().at());
        assertEquals(world.now().minus(Duration.ofDays(90)), found.dropped().before());
        assertEquals(1, world.swept.size(), world.swept::toString);
    }

    @Test
    void noGroupIsSilentBecauseServiceTimeWasSet() {
        EngineHarness world = EngineHarness.enabled();
        world.setWall(world.now().plus(FAR));
        assertTrue(world.engine.rules().enabled(world.engine.view(), EngineHarness.WEB, world.now()));
        EventId id = world.schedule(Cause.RESTART, "m0");
        assertEquals(Phase.SCHEDULED, phase(world, id));
        world.pass(Duration.ofHours(25));
        assertFalse(
                world.engine.rules().enabled(world.engine.view(), EngineHarness.WEB, world.now()), "a day later it is");
    }

    @Test
    void eventsDueByAClockJumpWaitForTheGraceAndTheirNotice() {
        EngineHarness world = worldWithGrace();
        EventId almost = world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofMinutes(14).plusSeconds(50));
        EventId fresh = world.schedule(Cause.FREEZE, "m4");
        world.setWall(world.now().plus(FAR));
        world.pass(GRACE.minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(world, almost), "its notice is over, but on a leap");
        world.pass(Duration.ofSeconds(2));
        assertEquals(Phase.STARTED, phase(world, almost));
        assertEquals(Duration.ofMinutes(15).plusSeconds(50), given(world, almost));
        world.pass(Duration.ofMinutes(13));
        assertEquals(Phase.SCHEDULED, phase(world, fresh));
        world.pass(Duration.ofMinutes(2));
        assertEquals(Phase.STARTED, phase(world, fresh));
        assertEquals(1, world.held.size(), world.held::toString);
    }

    @Test
    void aKeyIsNotForgottenBecauseServiceTimeWasSet() {
        EngineHarness world = EngineHarness.enabled();
        Engine.Once once = new Engine.Once("key", "same");
        Command command = new Command.Schedule(
                Cause.FREEZE, List.of(EngineHarness.machine("m0")), null, null, EngineHarness.PERSON);
        CommandResult first = world.ask(world.engine.submit(command, once));
        world.setWall(world.now().plus(FAR));
        assertEquals(
                first.events(), world.ask(world.engine.submit(command, once)).events());
        assertEquals(1, world.shown().size());
    }

    @Test
    void aKeyIsNotForgottenBecauseServiceTimeWasSetBeforeARestart() {
        EngineHarness world = EngineHarness.enabled();
        Engine.Once once = new Engine.Once("key", "same");
        Command command = new Command.Schedule(
                Cause.FREEZE, List.of(EngineHarness.machine("m0")), null, null, EngineHarness.PERSON);
        CommandResult first = world.ask(world.engine.submit(command, once));
        world.setWall(world.now().plus(FAR));
        world.poll(EngineHarness.WEB, "m1");
        world.open();
        assertEquals(
                first.events(), world.ask(world.engine.submit(command, once)).events());
    }

    @Test
    void aGroupThatPolledBeforeServiceTimeWasSetBackStillBecomesSilent() {
        for (boolean restarted : new boolean[] {false, true}) {
            EngineHarness world = EngineHarness.enabled();
            world.setWall(world.now().plus(FAR));
            world.poll(EngineHarness.WEB, "m0");
            world.pass(Duration.ofMinutes(10));
            world.setWall(world.now().minus(FAR));
            if (restarted) {
                world.open();
            }
            assertTrue(world.engine.rules().enabled(world.engine.view(), EngineHarness.WEB, world.now()));
            world.pass(Duration.ofHours(25));
            assertFalse(
                    world.engine.rules().enabled(world.engine.view(), EngineHarness.WEB, world.now()),
                    "it has not asked for a day");
        }
    }

    @Test
    void afterAStallNothingStartsByTimeBeforeItCouldBeReadLongEnough() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofMinutes(14).plusSeconds(30));
        Duration stopped = Duration.ofSeconds(40);
        world.skip(stopped);
        world.engine.stalled(stopped, world.moment());
        world.turn();
        world.pass(GRACE.minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(world, id));
        world.pass(Duration.ofSeconds(2));
        assertEquals(Phase.STARTED, phase(world, id));
        assertEquals(
                Duration.ofMinutes(15).plusSeconds(30), given(world, id), "without the 40 s that nobody could read");
    }

    @Test
    void aStallDoesNotHoldWhatIsApproved() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.engine.stalled(Duration.ofSeconds(40), world.moment());
        world.approve(id);
        assertEquals(Phase.STARTED, phase(world, id));
    }

    @Test
    void theTimeInWhichTheServiceWasDownIsNoNotice() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofMinutes(5));
        world.unreadableSince = world.now();
        world.skip(Duration.ofHours(3));
        world.open();
        world.pass(Duration.ofMinutes(9));
        assertEquals(Phase.SCHEDULED, phase(world, id), "ten minutes of its notice were left");
        world.pass(Duration.ofMinutes(2));
        assertEquals(Phase.STARTED, phase(world, id));
        assertEquals(Duration.ofMinutes(15), given(world, id));
    }

    @Test
    void whenTheServiceAnsweredLastIsKnownAfterACrash() throws StoreException {
        EngineHarness world = EngineHarness.enabled();
        world.schedule(Cause.FREEZE, "m0", Duration.ofHours(1));
        world.pass(Duration.ofMinutes(7));
        world.pass(Duration.ofMinutes(7));
        Instant last = world.now();
        world.skip(Duration.ofHours(5));
        assertEquals(
                last, StoredTime.read(world.store, world.format()).readable().orElseThrow());
    }

    private static final String REST = "the rest of its notice, because only time in which machines can read it counts";

    private static List<StartBlocker> blockers(EngineHarness world, PublishedState view, EventId id) {
        return world.engine
                .rules()
                .blockers(view, EngineHarness.WEB, world.event(id).orElseThrow(), world.now());
    }

    private static List<String> reasons(EngineHarness world, EventId id) {
        return blockers(world, world.engine.view(), id).stream()
                .map(StartBlocker::why)
                .toList();
    }

    @Test
    void afterAnOutageTheRestOfTheNoticeAndItsEndAreNamed() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        Instant notBefore = world.event(id).orElseThrow().noticePeriod().notBefore();
        assertEquals(List.of("its notice, unless it is approved"), reasons(world, id));
        world.pass(Duration.ofMinutes(5));
        world.unreadableSince = world.now();
        Duration down = Duration.ofMinutes(4);
        world.skip(down);
        world.open();
        assertEquals(List.of("its notice, unless it is approved", REST), reasons(world, id), "before its date");
        world.pass(Duration.ofMinutes(7));
        assertTrue(world.now().isAfter(notBefore));
        List<StartBlocker> held = blockers(world, world.engine.view(), id);
        assertEquals(List.of(new StartBlocker(REST, notBefore.plus(down))), held);
        world.pass(Duration.between(world.now(), held.get(0).until()).minusMillis(1));
        assertEquals(Phase.SCHEDULED, phase(world, id));
        assertEquals(1, blockers(world, world.engine.view(), id).size());
        world.pass(Duration.ofMillis(1));
        assertEquals(Phase.STARTED, phase(world, id));
    }

    @Test
    void whatIsApprovedLacksNoNotice() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.approve(world.schedule(Cause.FREEZE, "m1"));
        world.unreadableSince = world.now();
        world.skip(Duration.ofMinutes(4));
        world.open();
        assertEquals(List.of("its notice, unless it is approved", REST, "update domain 1 is down"), reasons(world, id));
        world.approve(id);
        assertEquals(List.of("update domain 1 is down"), reasons(world, id));
    }

    @Test
    void theGracePeriodAfterAStartIsNamed() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofMinutes(14).plusSeconds(50));
        world.open();
        Instant end = world.now().plus(GRACE);
        world.pass(Duration.ofSeconds(20));
        List<StartBlocker> held = blockers(world, world.engine.view(), id);
        assertEquals(1, held.size(), held::toString);
        assertTrue(held.get(0).why().contains("clock.resume-grace"), held::toString);
        assertEquals(end, held.get(0).until());
        world.pass(Duration.ofSeconds(40));
        assertEquals(Phase.STARTED, phase(world, id));
    }

    @Test
    void aStallIsNamed() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        Instant notBefore = world.event(id).orElseThrow().noticePeriod().notBefore();
        world.pass(Duration.ofMinutes(10));
        Duration stopped = Duration.ofMinutes(3);
        world.skip(stopped);
        world.engine.stalled(stopped, world.moment());
        world.turn();
        world.pass(Duration.ofMinutes(4));
        assertEquals(
                List.of(new StartBlocker(REST, notBefore.plus(stopped))), blockers(world, world.engine.view(), id));
    }

    @Test
    void aFollowerSaysThatItDoesNotKnowTheRestOfANotice() throws StoreException {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofMinutes(5));
        world.unreadableSince = world.now();
        world.skip(Duration.ofMinutes(4));
        world.open();
        FollowerNode follower = new FollowerNode(world, 1);
        follower.following().turn();
        assertEquals(
                List.of("its notice, unless it is approved"),
                blockers(world, follower.view(), id).stream()
                        .map(StartBlocker::why)
                        .toList());
        world.pass(Duration.ofMinutes(7));
        follower.following().turn();
        List<StartBlocker> held = blockers(world, follower.view(), id);
        assertEquals(
                List.of("the rest of its notice, if machines could not read it all the time"),
                held.stream().map(StartBlocker::why).toList());
        assertNull(held.get(0).until());
    }

    @Test
    void aNodeThatWritesNoMoreDoesNotKnowTheRestOfANotice() {
        EngineHarness world = worldWithGrace();
        EventId id = world.schedule(Cause.FREEZE, "m0");
        assertTrue(world.engine.view().noticeEnd(id).isPresent());
        world.engine.fence("another node writes now");
        assertEquals(Optional.empty(), world.engine.view().noticeEnd(id));
    }
}
