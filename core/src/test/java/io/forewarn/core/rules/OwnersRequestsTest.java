package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static io.forewarn.core.rules.ScheduleRulesTest.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an owner asks for comes when it is asked for, whatever else is open for the machine, and is not lost. */
class OwnersRequestsTest {
    private static final Duration NOTICE = Duration.ofMinutes(15);

    private final EngineHarness world = EngineHarness.enabled();

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private Instant notBefore(EventId id) {
        return world.event(id).orElseThrow().noticePeriod().notBefore();
    }

    private EventId rehearse(Cause cause, String machine) {
        Command command = new Command.Schedule(
                cause, List.of(EngineHarness.machine(machine)), null, null, true, EngineHarness.PERSON);
        return world.ask(command).events().get(0);
    }

    /** The harness begins on a Sunday at noon. */
    private void windowFrom(int hour) {
        MaintenanceWindow window = new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(hour, 0), Duration.ofHours(2), ZoneId.of("UTC"));
        Policy policy = new Policy(
                new Scope("default", "web", null),
                null,
                null,
                null,
                null,
                List.of(window),
                null,
                null,
                null,
                null,
                null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
    }

    @ParameterizedTest
    @EnumSource(names = {"RESTART", "REDEPLOY", "TERMINATE"})
    void aFreezeThatWaitsForAWindowIsNotInTheOwnersWay(Cause cause) {
        windowFrom(20);
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        EventId asked = world.schedule(cause, "m0");
        assertEquals(List.of(Phase.SCHEDULED, Phase.SCHEDULED), List.of(phase(freeze), phase(asked)));
        world.pass(NOTICE);
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(freeze), phase(asked)));
        world.report(asked, DriverReport.DONE);
        assertEquals(cause == Cause.TERMINATE ? Phase.ENDED : Phase.SCHEDULED, phase(freeze), "with the machine");
    }

    @Test
    void aScheduledFreezeWaitsForTheOwnersEventAndKeepsItsId() {
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        world.pass(Duration.ofMinutes(10));
        EventId restart = world.schedule(Cause.RESTART, "m0");
        world.pass(Duration.ofMinutes(10));
        assertEquals(List.of(Phase.SCHEDULED, Phase.SCHEDULED), List.of(phase(freeze), phase(restart)));
        world.pass(Duration.ofMinutes(5));
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(freeze), phase(restart)));
        world.report(restart, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(freeze));
    }

    @Test
    void aFreezeThatMissedItsWindowOverAnOwnersEventMovesIntoTheNext() {
        windowFrom(13);
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        Instant window = notBefore(freeze);
        world.pass(Duration.ofMinutes(59));
        EventId restart = world.schedule(Cause.RESTART, "m0");
        world.pass(Duration.ofHours(3));
        assertEquals(Phase.STARTED, phase(restart));
        world.report(restart, DriverReport.DONE);
        assertEquals(Phase.SCHEDULED, phase(freeze));
        assertEquals(window.plus(Duration.ofDays(1)), notBefore(freeze));
    }

    @Test
    void theLongNoticeOfAnOwnerDoesNotHoldAFreeze() {
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        EventId restart = world.schedule(Cause.RESTART, "m0", Duration.ofDays(7));
        world.pass(NOTICE);
        assertEquals(List.of(Phase.STARTED, Phase.SCHEDULED), List.of(phase(freeze), phase(restart)));
    }

    @Test
    void norIfTheRequestCameFirst() {
        EventId restart = world.schedule(Cause.RESTART, "m0", Duration.ofDays(7));
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        assertEquals(Phase.SCHEDULED, phase(freeze));
        world.pass(NOTICE);
        assertEquals(List.of(Phase.STARTED, Phase.SCHEDULED), List.of(phase(freeze), phase(restart)));
    }

    @Test
    void aFreezeDoesNotWaitForARequestThatAPolicyOfItsOwnerHolds() {
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, null, null, true, null), EngineHarness.PERSON));
        EventId restart = world.schedule(Cause.RESTART, "m0");
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        assertEquals(Phase.WAITING, phase(freeze));
        world.pass(NOTICE);
        assertEquals(List.of(Phase.SCHEDULED, Phase.SCHEDULED), List.of(phase(freeze), phase(restart)));
    }

    @Test
    void requestsDuringAFreezeStartWhenItEnds() {
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        world.approve(freeze);
        EventId restart = world.schedule(Cause.RESTART, "m0");
        world.approve(restart);
        assertEquals(List.of(Phase.STARTED, Phase.SCHEDULED), List.of(phase(freeze), phase(restart)));
        world.report(freeze, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(restart));
    }

    @ParameterizedTest
    @EnumSource(names = {"RESTART", "REDEPLOY", "TERMINATE"})
    void aRehearsalIsNotInTheOwnersWay(Cause cause) {
        EventId rehearsal = rehearse(Cause.RESTART, "m0");
        EventId asked = world.schedule(cause, "m0");
        world.approve(asked);
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(rehearsal), phase(asked)));
        world.report(asked, DriverReport.DONE);
        assertEquals(cause == Cause.TERMINATE ? Phase.ENDED : Phase.SCHEDULED, phase(rehearsal));
    }

    @Test
    void aStartedRehearsalEndsWhenTheOwnersEventStarts() {
        EventId rehearsal = rehearse(Cause.RESTART, "m0");
        world.approve(rehearsal);
        EventId restart = world.schedule(Cause.RESTART, "m0");
        assertEquals(List.of(Phase.STARTED, Phase.SCHEDULED), List.of(phase(rehearsal), phase(restart)));
        world.pass(NOTICE);
        assertEquals(List.of(Phase.ENDED, Phase.STARTED), List.of(phase(rehearsal), phase(restart)));
    }

    @Test
    void aRehearsalIsNotInTheWayOfAFreezeAndEndsWhenItStarts() {
        EventId rehearsal = rehearse(Cause.RESTART, "m0");
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        assertEquals(Phase.SCHEDULED, phase(freeze));
        world.approve(rehearsal);
        world.approve(freeze);
        assertEquals(List.of(Phase.ENDED, Phase.STARTED), List.of(phase(rehearsal), phase(freeze)));
    }

    @Test
    void aRehearsedFreezeOfAnotherDomainHoldsNoRealOne() {
        EventId rehearsal = rehearse(Cause.FREEZE, "m0");
        world.approve(rehearsal);
        EventId real = world.schedule(Cause.FREEZE, "m1");
        world.approve(real);
        assertEquals(List.of(Phase.STARTED, Phase.STARTED), List.of(phase(rehearsal), phase(real)));
    }

    @Test
    void onlyRehearsalsWaitForRecoveryFromARehearsal() {
        EventId rehearsal = rehearse(Cause.FREEZE, "m0");
        world.approve(rehearsal);
        world.report(rehearsal, DriverReport.DONE);
        EventId second = rehearse(Cause.FREEZE, "m1");
        EventId real = world.schedule(Cause.FREEZE, "m3");
        world.approve(second, real);
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(second), phase(real)));
    }

    @Test
    void aSecondRequestIsStillRefused() {
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        EventId restart = world.schedule(Cause.RESTART, "m0");
        assertRefused(Problem.CONFLICT, restart.toString(), () -> world.schedule(Cause.REDEPLOY, "m0"));
        assertEquals(Phase.SCHEDULED, phase(freeze));
        EventId preempt = world.schedule(Cause.PREEMPT, "m5");
        assertRefused(Problem.CONFLICT, preempt.toString(), () -> world.schedule(Cause.RESTART, "m5"));
    }

    @Test
    void aRedeployComesAfterTheFailureThatCameBeforeIt() {
        EventId redeploy = world.schedule(Cause.REDEPLOY, "m0");
        Instant promised = notBefore(redeploy);
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(redeploy), phase(failure)));
        world.pass(Duration.ofMinutes(2));
        world.report(failure, DriverReport.DONE);
        assertEquals(Phase.SCHEDULED, phase(redeploy));
        assertEquals(promised, notBefore(redeploy));
        world.pass(Duration.ofMinutes(8));
        assertEquals(Phase.STARTED, phase(redeploy));
    }

    @Test
    void aRestartIsDoneByTheFailureThatRestartsTheMachineAndHistorySaysSo() {
        EventId restart = world.schedule(Cause.RESTART, "m0");
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        assertEquals(Phase.SCHEDULED, phase(restart));
        world.report(failure, DriverReport.DONE);
        assertEquals(Phase.ENDED, phase(restart));
        HistoryEntry last = world.history.stream()
                .filter(e -> restart.equals(e.event()))
                .reduce((first, second) -> second)
                .orElseThrow();
        assertEquals("SUPERSEDED", last.what());
        assertTrue(last.detail().contains(failure.toString()), last.detail());
    }

    @Test
    void aRestartComesIfHandlingTheFailureFailed() {
        EventId restart = world.schedule(Cause.RESTART, "m0");
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        world.report(failure, DriverReport.FAILED);
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(restart));
    }

    @Test
    void aRestartThatIsAskedForDuringAFailureComesAfterIt() {
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        world.pass(Duration.ofMinutes(1));
        EventId restart = world.schedule(Cause.RESTART, "m0");
        world.pass(NOTICE);
        assertEquals(Phase.SCHEDULED, phase(restart));
        world.report(failure, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(restart));
    }

    @Test
    void aFailureDuringAFreezeIsHandledWhenTheFreezeIsOver() {
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        world.approve(freeze);
        assertEquals(freeze, world.schedule(Cause.FAILURE, "m0"), "joined");
        assertEquals(
                MachineCondition.State.BROKEN_DOWN,
                world.engine.view().condition(EngineHarness.machine("m0")).state());
        world.running.clear();
        world.report(freeze, DriverReport.DONE);
        Event failure = world.shown().get(0);
        assertEquals(Cause.FAILURE, failure.work().cause());
        assertTrue(world.running.containsKey(failure.id()), "the driver is told");
        world.report(failure.id(), DriverReport.DONE);
        assertTrue(world.shown().isEmpty());
        assertEquals(
                MachineCondition.State.RUNNING,
                world.engine.view().condition(EngineHarness.machine("m0")).state());
    }

    @Test
    void aFailureDoesNotMakeAPreemptionThatJoinedForgotten() {
        EventId restart = world.schedule(Cause.RESTART, "m5");
        world.approve(restart);
        world.schedule(Cause.PREEMPT, "m5");
        world.schedule(Cause.FAILURE, "m5");
        world.report(restart, DriverReport.DONE);
        assertEquals(
                MachineCondition.State.TAKEN,
                world.engine.view().condition(EngineHarness.machine("m5")).state());
    }

    @Test
    void aMachineIsTakenByOneEventHoweverOftenItIsAskedFor() {
        EventId first = world.schedule(Cause.PREEMPT, "m5");
        world.pass(Duration.ofSeconds(20));
        assertEquals(first, world.schedule(Cause.PREEMPT, "m5"));
        world.pass(Duration.ofSeconds(10));
        assertEquals(Phase.STARTED, phase(first));
        assertFalse(world.engine.view().state(WEB).events().size() > 1);
    }
}
