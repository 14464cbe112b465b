package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnablingTest {
    private static Phase phase(EngineHarness world, EventId id) {
        return world.event(id).orElseThrow().phase();
    }

    @Test
    void workOnAGroupThatNeverAskedIsDoneWithoutNoticeAndRecorded() {
        EngineHarness world = EngineHarness.withWeb(ServiceTerms.AZURE);
        EventId id = world.schedule(Cause.RESTART, "m0");
        assertEquals(Phase.STARTED, phase(world, id));
        assertTrue(world.shown().isEmpty());
        world.poll(WEB, "m0");
        assertTrue(world.shown().isEmpty());
        world.report(id, DriverReport.DONE);
        assertEquals(1, world.incarnation());
        assertEquals(List.of("STARTED_WITHOUT_NOTICE", "COMPLETED_UNSEEN"), world.steps(id));
        assertEquals(
                1, world.engine.view().condition(EngineHarness.machine("m0")).boots());
    }

    @Test
    void oneRequestOfAnyMachineEnablesTheGroup() {
        EngineHarness world = EngineHarness.withWeb(ServiceTerms.AZURE);
        world.poll(WEB, "m3");
        assertEquals(Phase.SCHEDULED, phase(world, world.schedule(Cause.RESTART, "m0")));
        assertEquals(
                1,
                world.history.stream().filter(e -> e.what().equals("ENABLED")).count());
    }

    @Test
    void aDayOfSilenceDisablesAndTheNextRequestEnablesAgain() {
        EngineHarness world = EngineHarness.enabled();
        world.pass(Duration.ofHours(24).minusSeconds(1));
        EventId inTime = world.schedule(Cause.RESTART, "m0");
        world.pass(Duration.ofSeconds(1));
        EventId tooLate = world.schedule(Cause.RESTART, "m1");
        assertEquals(Phase.SCHEDULED, phase(world, inTime));
        assertFalse(world.event(tooLate).orElseThrow().shown());
        world.poll(WEB, "m2");
        assertEquals(Phase.SCHEDULED, phase(world, world.schedule(Cause.RESTART, "m2")));
    }

    @Test
    void aStartOfTheServiceBeginsTheDayOfSilenceAnew() {
        EngineHarness world = EngineHarness.enabled();
        world.pass(Duration.ofHours(23));
        world.open();
        world.pass(Duration.ofHours(24).minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(world, world.schedule(Cause.RESTART, "m0")));
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, phase(world, world.schedule(Cause.RESTART, "m1")));
    }

    @Test
    void anEventOnceShownKeepsItsNoticeWhenTheGroupFallsSilent() {
        EngineHarness world = EngineHarness.enabled();
        EventId id = world.schedule(Cause.RESTART, "m0", Duration.ofHours(30));
        world.pass(Duration.ofHours(29));
        assertEquals(Phase.SCHEDULED, phase(world, id));
        world.pass(Duration.ofHours(1));
        assertEquals(Phase.STARTED, phase(world, id));
    }

    @Test
    void inTheTestProfileGroupsAreAlwaysEnabled() {
        EngineHarness world = EngineHarness.withWeb(ServiceTerms.TEST);
        assertEquals(Phase.SCHEDULED, phase(world, world.schedule(Cause.RESTART, "m0")));
        world.pass(Duration.ofDays(3));
        assertEquals(Phase.SCHEDULED, phase(world, world.schedule(Cause.RESTART, "m1")));
    }

    @Test
    void afterARestartAGroupCountsAsJustPolled() {
        EngineHarness world = EngineHarness.enabled();
        world.pass(Duration.ofHours(23));
        world.open();
        world.pass(Duration.ofHours(23));
        assertEquals(Phase.SCHEDULED, phase(world, world.schedule(Cause.RESTART, "m0")));
    }

    @Test
    void aSightingIsRecordedOncePerMachine() {
        EngineHarness world = EngineHarness.enabled();
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.poll(WEB, "m1");
        world.pass(Duration.ofMinutes(1));
        world.poll(WEB, "m0");
        world.pass(Duration.ofMinutes(1));
        world.poll(WEB, "m0");
        assertEquals(
                EngineHarness.START.plus(Duration.ofMinutes(1)),
                world.event(id).orElseThrow().sightings().get("m0"));
        assertEquals(1, world.steps(id).stream().filter("SEEN"::equals).count());
        assertEquals(2, world.incarnation());
    }

    @Test
    void anOwnersRequestIsScheduledWhenItIsMade() {
        EngineHarness world = EngineHarness.withWeb(ServiceTerms.AZURE);
        MaintenanceWindow saturdays = new MaintenanceWindow(
                EnumSet.of(DayOfWeek.SATURDAY), LocalTime.of(1, 0), Duration.ofHours(4), ZoneId.of("UTC"));
        Scope group = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(group, null, null, null, null, List.of(saturdays), null, null, null, null, null),
                EngineHarness.PERSON));
        for (String machine : List.of("m0", "m1")) {
            EventId freeze = world.schedule(Cause.FREEZE, machine);
            assertEquals(Phase.WAITING, phase(world, freeze), "until Saturday");
        }
        EventId restart = world.schedule(Cause.RESTART, "m0");
        assertEquals(Phase.STARTED, phase(world, restart));
        EventId delete = world.schedule(Cause.TERMINATE, "m1");
        assertEquals(Phase.STARTED, phase(world, delete));
        world.report(restart, DriverReport.DONE);
        world.report(delete, DriverReport.DONE);
        assertTrue(world.engine.view().machine(EngineHarness.machine("m1")).isEmpty());
        assertEquals(1, world.engine.view().state(WEB).events().size(), "the freeze of m0 goes on waiting");
    }
}
