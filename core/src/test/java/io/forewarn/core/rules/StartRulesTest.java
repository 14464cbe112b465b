package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static io.forewarn.core.rules.ScheduleRulesTest.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StartRulesTest {
    private final EngineHarness world = EngineHarness.enabled();

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    @Test
    void anApprovedEventStartsBeforeItsNotBefore() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.approve(id);
        assertEquals(Phase.STARTED, phase(id));
        assertEquals(3, world.incarnation());
        assertEquals(List.of("SCHEDULED", "APPROVED", "STARTED_BY_APPROVAL"), world.steps(id));
        assertEquals(Duration.ZERO, world.history.get(world.history.size() - 1).given());
    }

    @Test
    void anEventStartsByItselfAtItsNotBeforeAndNotEarlier() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.pass(Duration.ofMinutes(15).minusNanos(1));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.pass(Duration.ofNanos(1));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void approvingAgainAndApprovingAStartedEventChangeNothing() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.approve(id, id);
        world.approve(id);
        assertEquals(3, world.incarnation());
        assertEquals(1, world.told.size());
    }

    @Test
    void anyMachineOfTheGroupMayApproveForAll() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.ask(new Command.Approve(WEB, List.of(id), Actor.machine("default/m4", "127.0.0.5")));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void aMachineCanNeitherApproveAnotherGroupsEventsNorTellThemFromUnknownOnes() {
        GroupId other = new GroupId("other", "db");
        world.group(other, GroupKind.CLOUD_SERVICE, 2, 2);
        EventId mine = world.schedule(Cause.RESTART, "m0");
        for (EventId id : List.of(mine, new EventId(new UUID(7, 7)))) {
            Command approve = new Command.Approve(other, List.of(id), Actor.machine("other/m0", "127.0.0.9"));
            assertRefused(Problem.BAD_INPUT, "there is no event " + id, () -> world.ask(approve));
        }
        assertEquals(Phase.SCHEDULED, phase(mine));
    }

    @Test
    void approvalIsAllOrNothing() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        assertRefused(Problem.BAD_INPUT, "Nothing was approved", () -> world.approve(id, new EventId(new UUID(7, 7))));
        assertEquals(Phase.SCHEDULED, phase(id));
        assertFalse(world.event(id).orElseThrow().isApproved());
    }

    @Test
    void aCancelledEventIsGoneAndCannotBeApproved() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.ask(new Command.Cancel(id, EngineHarness.PERSON));
        assertEquals(3, world.incarnation());
        assertRefused(Problem.BAD_INPUT, "there is no event", () -> world.approve(id));
        world.pass(Duration.ofHours(1));
        assertTrue(world.told.isEmpty());
    }

    @Test
    void aStartedEventCannotBeCancelled() {
        EventId id = world.schedule(Cause.FAILURE, "m0");
        assertRefused(Problem.CONFLICT, "started at", () -> world.ask(new Command.Cancel(id, EngineHarness.PERSON)));
    }

    @Test
    void platformWorkTakesOneUpdateDomainAtATimeAndLetsTheGroupRecover() {
        EventId first = world.schedule(Cause.FREEZE, "m0");
        EventId second = world.schedule(Cause.FREEZE, "m1");
        EventId sameDomain = world.schedule(Cause.FREEZE, "m2");
        world.approve(first, second, sameDomain);
        assertEquals(
                List.of(Phase.STARTED, Phase.SCHEDULED, Phase.STARTED),
                List.of(phase(first), phase(second), phase(sameDomain)));
        world.report(first, DriverReport.DONE);
        world.report(sameDomain, DriverReport.DONE);
        world.pass(Duration.ofMinutes(30).minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(second));
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, phase(second));
    }

    @Test
    void aWallSetForwardStartsNothingBeforeTheNoticeHasReallyPassed() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.setWall(world.now().plus(Duration.ofHours(5)));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.pass(Duration.ofMinutes(14));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.pass(Duration.ofMinutes(1));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void aWallSetBackStartsNothingBeforeNotBeforeIsReached() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        Instant notBefore = world.event(id).orElseThrow().noticePeriod().notBefore();
        world.setWall(world.now().minus(Duration.ofHours(1)));
        world.pass(Duration.ofMinutes(70));
        assertEquals(Phase.SCHEDULED, phase(id));
        world.pass(Duration.between(world.now(), notBefore));
        assertEquals(Phase.STARTED, phase(id));
    }

    @Test
    void anEventThatCouldBeReadLateIsMovedByAsMuch() {
        Instant before = world.now();
        world.slowCommits(Duration.ofSeconds(7));
        Command restart = new Command.Schedule(
                Cause.RESTART, List.of(EngineHarness.machine("m0")), null, null, EngineHarness.PERSON);
        var asked = world.engine.submit(restart);
        world.engine.turn(new ClockReading(before, 0));
        world.slowCommits(Duration.ZERO);
        EventId id = world.ask(asked).events().get(0);
        Instant promised = before.plus(Duration.ofMinutes(15));
        assertEquals(
                promised.plusSeconds(7),
                world.event(id).orElseThrow().noticePeriod().notBefore());
        assertEquals(3, world.incarnation());
        assertEquals(List.of("SCHEDULED", "MOVED"), world.steps(id));
    }

    @Test
    void onADiskThatStaysSlowAnEventIsMovedOnceAndStarts() {
        Instant before = world.now();
        world.slowCommits(Duration.ofSeconds(3));
        Command restart = new Command.Schedule(
                Cause.RESTART, List.of(EngineHarness.machine("m0")), null, null, EngineHarness.PERSON);
        var asked = world.engine.submit(restart);
        for (int turn = 0; turn < 5; turn++) {
            world.engine.turn(new ClockReading(world.now(), world.nanos()));
        }
        EventId id = asked.join().events().get(0);
        assertEquals(List.of("SCHEDULED", "MOVED"), world.steps(id));
        assertEquals(
                before.plus(Duration.ofMinutes(15)).plusSeconds(3),
                world.event(id).orElseThrow().noticePeriod().notBefore());
        world.pass(Duration.ofMinutes(16));
        assertEquals(Phase.STARTED, phase(id));
    }
}
