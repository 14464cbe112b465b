package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static io.forewarn.core.rules.ScheduleRulesTest.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failures and preemptions that meet other work on their machine. */
class UrgentWorkTest {
    private final EngineHarness world = EngineHarness.enabled();

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private MachineCondition.State state(String machine) {
        return world.engine.view().condition(EngineHarness.machine(machine)).state();
    }

    private EventId rehearse(Cause cause, String machine) {
        Command command = new Command.Schedule(
                cause, List.of(EngineHarness.machine(machine)), null, null, true, EngineHarness.PERSON);
        return world.ask(command).events().get(0);
    }

    @Test
    void aFailureEndsAStartedRehearsal() {
        EventId rehearsal = rehearse(Cause.RESTART, "m0");
        world.approve(rehearsal);
        long before = world.incarnation();
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        assertEquals(List.of(Phase.ENDED, Phase.STARTED), List.of(phase(rehearsal), phase(failure)));
        assertEquals(MachineCondition.State.BROKEN_DOWN, state("m0"));
        assertEquals(before + 2, world.incarnation(), "one is gone, another is there");
        world.report(failure, DriverReport.DONE);
        assertEquals(MachineCondition.State.RUNNING, state("m0"));
        assertTrue(world.shown().isEmpty());
    }

    private String detail(String what) {
        return world.history.stream()
                .filter(e -> e.what().equals(what))
                .findFirst()
                .orElseThrow()
                .detail();
    }

    @Test
    void historyNamesWhatEndedAnEventInTheWordsOfTheDocuments() {
        world.approve(rehearse(Cause.RESTART, "m5"));
        EventId preemption = world.schedule(Cause.PREEMPT, "m5");
        assertEquals("rehearsal; by a preemption, event " + preemption, detail("REHEARSAL_ENDED"));
        world.schedule(Cause.FREEZE, "m0");
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        assertEquals("by a failure, event " + failure, detail("SUPERSEDED"));
        world.schedule(Cause.FAILURE, "m0");
        assertEquals("by a failure", detail("JOINED"), "which has no event of its own");
    }

    @Test
    void aPreemptionEndsAStartedRehearsalAndTakesTheMachine() {
        EventId rehearsal = rehearse(Cause.RESTART, "m5");
        world.approve(rehearsal);
        EventId preempt = world.schedule(Cause.PREEMPT, "m5");
        assertEquals(List.of(Phase.ENDED, Phase.SCHEDULED), List.of(phase(rehearsal), phase(preempt)));
        world.pass(Duration.ofSeconds(30));
        world.report(preempt, DriverReport.DONE);
        assertEquals(MachineCondition.State.TAKEN, state("m5"));
    }

    @Test
    void aFailureEndsARehearsalThatIsNotShown() {
        EngineHarness silent = EngineHarness.withWeb(ServiceTerms.AZURE);
        Command command = new Command.Schedule(
                Cause.RESTART, List.of(EngineHarness.machine("m0")), null, null, true, EngineHarness.PERSON);
        EventId rehearsal = silent.ask(command).events().get(0);
        EventId failure = silent.schedule(Cause.FAILURE, "m0");
        assertTrue(silent.event(rehearsal).isEmpty());
        assertTrue(silent.running.containsKey(failure));
        assertEquals(1, silent.incarnation());
    }

    @Test
    void aRehearsedFailurePutsNoRealWorkAside() {
        EventId restart = world.schedule(Cause.RESTART, "m0");
        assertRefused(Problem.CONFLICT, restart.toString(), () -> rehearse(Cause.FAILURE, "m0"));
        assertEquals(Phase.SCHEDULED, phase(restart));
    }

    @Test
    void aRestartRequestedAfterAFailureBeganFollowsEvenIfTheClockStandsStill() {
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        EventId restart = world.schedule(Cause.RESTART, "m0");
        world.report(failure, DriverReport.DONE);
        assertEquals(Phase.SCHEDULED, phase(restart));
        world.pass(Duration.ofMinutes(15));
        assertEquals(Phase.STARTED, phase(restart));
    }

    @Test
    void aRestartRequestedBeforeAFailureIsEndedByItEvenIfTheClockStandsStill() {
        EventId restart = world.schedule(Cause.RESTART, "m0");
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        world.report(failure, DriverReport.DONE);
        assertEquals(Phase.ENDED, phase(restart));
    }

    @Test
    void aDeletionIsStillDueWhenAFailureIsOver() {
        EventId delete = world.schedule(Cause.TERMINATE, "m3");
        Instant promised = world.event(delete).orElseThrow().noticePeriod().notBefore();
        EventId failure = world.schedule(Cause.FAILURE, "m3");
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(delete), phase(failure)));
        world.report(failure, DriverReport.DONE);
        assertEquals(Phase.SCHEDULED, phase(delete), "with no less notice than was promised");
        assertEquals(promised, world.event(delete).orElseThrow().noticePeriod().notBefore());
        world.pass(Duration.ofMinutes(5));
        assertEquals(Phase.STARTED, phase(delete));
        world.report(delete, DriverReport.DONE);
        assertTrue(world.engine.view().machine(EngineHarness.machine("m3")).isEmpty());
    }

    @Test
    void aPreemptionWaitsForTheEndOfAFailureThatCameAfterIt() {
        EventId preempt = world.schedule(Cause.PREEMPT, "m5");
        EventId failure = world.schedule(Cause.FAILURE, "m5");
        world.pass(Duration.ofMinutes(10));
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(preempt), phase(failure)));
        world.report(failure, DriverReport.FAILED);
        assertEquals(Phase.STARTED, phase(preempt));
        world.report(preempt, DriverReport.DONE);
        assertEquals(MachineCondition.State.TAKEN, state("m5"));
    }

    @Test
    void aFailureStartsAtOnceInAGroupThatDoesNotPollEvenIfADeletionIsDue() {
        EventId delete = world.schedule(Cause.TERMINATE, "m3");
        world.setWall(world.now().plus(Duration.ofDays(2)));
        EventId failure = world.schedule(Cause.FAILURE, "m3");
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(delete), phase(failure)));
    }

    @Test
    void aPreemptionOfAFrozenMachineIsShownAndGivesItsNotice() {
        EventId freeze = world.schedule(Cause.FREEZE, "m5");
        world.approve(freeze);
        EventId preempt = world.schedule(Cause.PREEMPT, "m5");
        Event shown = world.shown().stream()
                .filter(e -> e.id().equals(preempt))
                .findFirst()
                .orElseThrow();
        assertEquals(EventType.PREEMPT, shown.type());
        assertEquals(world.now().plusSeconds(30), shown.noticePeriod().notBefore());
        world.report(freeze, DriverReport.DONE);
        assertEquals(Phase.SCHEDULED, phase(preempt));
        world.pass(Duration.ofSeconds(30));
        assertEquals(Phase.STARTED, phase(preempt));
        world.report(preempt, DriverReport.DONE);
        assertEquals(MachineCondition.State.TAKEN, state("m5"));
    }

    @Test
    void aPreemptionDoesNotStartWhileTheMachineIsFrozen() {
        EventId freeze = world.schedule(Cause.FREEZE, "m5");
        world.approve(freeze);
        EventId preempt = world.schedule(Cause.PREEMPT, "m5");
        world.approve(preempt);
        world.pass(Duration.ofMinutes(2));
        assertEquals(Phase.SCHEDULED, phase(preempt));
        world.report(freeze, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(preempt));
        assertEquals(1, world.engine.view().state(WEB).events().size());
    }

    @Test
    void aMachineIsTakenAlsoIfTheWorkItsPreemptionJoinedFails() {
        EventId restart = world.schedule(Cause.RESTART, "m5");
        world.approve(restart);
        world.schedule(Cause.PREEMPT, "m5");
        world.report(restart, DriverReport.FAILED);
        assertEquals(MachineCondition.State.TAKEN, state("m5"));
    }
}
