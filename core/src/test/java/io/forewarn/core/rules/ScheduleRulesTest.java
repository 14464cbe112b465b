package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ScheduleRulesTest {
    private final EngineHarness world = EngineHarness.enabled();

    @Test
    void eachCauseShowsAsTheTypeAndSourceOfTheContract() {
        Map<Cause, EventType> types = Map.of(
                Cause.RESTART, EventType.REBOOT,
                Cause.REDEPLOY, EventType.REDEPLOY,
                Cause.TERMINATE, EventType.TERMINATE,
                Cause.FREEZE, EventType.FREEZE,
                Cause.PREEMPT, EventType.PREEMPT,
                Cause.FAILURE, EventType.REBOOT);
        types.forEach((cause, type) -> assertEquals(type, cause.type()));
        List<Cause> byUser = List.of(Cause.RESTART, Cause.REDEPLOY, Cause.TERMINATE);
        for (Cause cause : Cause.values()) {
            assertEquals(byUser.contains(cause) ? EventSource.USER : EventSource.PLATFORM, cause.source());
        }
    }

    @Test
    void eachTypeHasItsMinimumNotice() {
        assertNotice(Cause.FREEZE, "m0", Duration.ofMinutes(15));
        assertNotice(Cause.RESTART, "m1", Duration.ofMinutes(15));
        assertNotice(Cause.REDEPLOY, "m2", Duration.ofMinutes(10));
        assertNotice(Cause.TERMINATE, "m3", Duration.ofMinutes(5));
        assertNotice(Cause.PREEMPT, "m5", Duration.ofSeconds(30));
    }

    @Test
    void theExpectedDowntimeComesFromTheCommandOrTheDriver() {
        Event usual = world.event(world.schedule(Cause.FREEZE, "m0")).orElseThrow();
        assertEquals(Duration.ofSeconds(5), usual.work().interruption());
        assertEquals(Duration.ofSeconds(3), away(Cause.FREEZE, "m1", Duration.ofSeconds(3)));
        assertEquals(Duration.ZERO, away(Cause.RESTART, "m2", Duration.ZERO));
        assertEquals(null, away(Cause.RESTART, "m3", null));
        RefusedException refusal = assertThrows(
                RefusedException.class,
                () -> world.ask(lasting(Cause.FREEZE, "m4", Duration.ofDays(7).plusSeconds(1))));
        assertEquals(Problem.BAD_INPUT, refusal.problem());
    }

    private Duration away(Cause cause, String machine, Duration said) {
        Event event = world.event(
                        world.ask(lasting(cause, machine, said)).events().get(0))
                .orElseThrow();
        return event.work().interruption();
    }

    private static Command lasting(Cause cause, String machine, Duration said) {
        return new Command.Schedule(
                cause, List.of(EngineHarness.machine(machine)), null, null, said, false, EngineHarness.PERSON);
    }

    private void assertNotice(Cause cause, String machine, Duration notice) {
        Event event = world.event(world.schedule(cause, machine)).orElseThrow();
        assertEquals(world.now().plus(notice), event.noticePeriod().notBefore());
        assertEquals(Phase.SCHEDULED, event.phase());
    }

    @Test
    void moreNoticeMayBeAskedForAndLessMayNot() {
        Duration long_ = Duration.ofHours(2);
        EventId id = world.schedule(Cause.RESTART, "m0", long_);
        assertEquals(
                world.now().plus(long_),
                world.event(id).orElseThrow().noticePeriod().notBefore());
        assertRefused(
                Problem.BAD_INPUT, "at least 15m", () -> world.schedule(Cause.RESTART, "m1", Duration.ofMinutes(14)));
        assertRefused(
                Problem.BAD_INPUT, "at most 15m", () -> world.schedule(Cause.TERMINATE, "m1", Duration.ofMinutes(16)));
        assertRefused(
                Problem.BAD_INPUT,
                "notice of 365d0.5s is not possible for a reboot: at least 15m, at most 365d",
                () -> world.schedule(Cause.RESTART, "m1", Duration.ofDays(365).plusMillis(500)));
        assertEquals(1, world.shown().size());
    }

    @Test
    void notBeforeIsRoundedUpToAWholeSecond() {
        world.pass(Duration.ofMillis(1));
        Event event = world.event(world.schedule(Cause.RESTART, "m0")).orElseThrow();
        assertEquals(
                EngineHarness.START.plus(Duration.ofMinutes(15)).plusSeconds(1),
                event.noticePeriod().notBefore());
    }

    @Test
    void aHardwareFailureIsStartedAtOnce() {
        EventId id = world.schedule(Cause.FAILURE, "m0");
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
        assertEquals(2, world.incarnation());
        assertTrue(world.running.containsKey(id));
    }

    @Test
    void aMachineHasAtMostOneOpenEvent() {
        EventId first = world.schedule(Cause.RESTART, "m0");
        assertRefused(Problem.CONFLICT, first.toString(), () -> world.schedule(Cause.REDEPLOY, "m0"));
        assertEquals(2, world.incarnation());
    }

    @Test
    void aFailureTakesTheScheduledEventsPlace() {
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        EventId failure = world.schedule(Cause.FAILURE, "m0");
        assertTrue(world.event(freeze).isEmpty());
        assertEquals(List.of(failure), world.shown().stream().map(Event::id).toList());
        assertEquals(List.of("SCHEDULED", "SUPERSEDED"), world.steps(freeze));
    }

    @Test
    void aPreemptionJoinsAStartedEventAndTakesTheMachineWhenItEnds() {
        EventId restart = world.schedule(Cause.RESTART, "m5");
        world.approve(restart);
        assertEquals(restart, world.schedule(Cause.PREEMPT, "m5"));
        world.report(restart, DriverReport.DONE);
        assertEquals(
                MachineCondition.State.TAKEN,
                world.engine.view().condition(EngineHarness.machine("m5")).state());
        assertRefused(Problem.CONFLICT, "taken away", () -> world.schedule(Cause.RESTART, "m5"));
    }

    @Test
    void platformWorkWaitsForTheMachine() {
        EventId restart = world.schedule(Cause.RESTART, "m0");
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        assertEquals(Phase.WAITING, world.event(freeze).orElseThrow().phase());
        assertEquals(List.of(restart), world.shown().stream().map(Event::id).toList());
        world.approve(restart);
        world.report(restart, DriverReport.DONE);
        assertEquals(List.of(freeze), world.shown().stream().map(Event::id).toList());
        Event announced = world.event(freeze).orElseThrow();
        assertEquals(
                world.now().plus(Duration.ofMinutes(15)),
                announced.noticePeriod().notBefore());
    }

    @Test
    void tenUserOperationsAtOnceArePossibleAndElevenAreNot() {
        GroupId big = new GroupId("other", "big");
        world.group(big, GroupKind.SCALE_SET, 5, 13);
        world.poll(big, "m0");
        List<MachineId> eleven = IntStream.range(0, 11)
                .mapToObj(i -> new MachineId("other", "m" + i))
                .toList();
        assertRefused(Problem.LIMIT_EXCEEDED, "at most 10", () -> world.ask(restart(eleven)));
        assertEquals(1, world.engine.view().state(big).incarnation());
        world.ask(restart(eleven.subList(0, 10)));
        assertEquals(11, world.engine.view().state(big).incarnation());
        assertRefused(Problem.LIMIT_EXCEEDED, "tenant other", () -> world.ask(restart(eleven.subList(10, 11))));
        world.schedule(Cause.RESTART, "m0");
    }

    private static Command restart(List<MachineId> machines) {
        return new Command.Schedule(Cause.RESTART, machines, null, null, EngineHarness.PERSON);
    }

    @Test
    void onlySpotMachinesArePreemptedAndNoneIsTerminated() {
        assertRefused(Problem.CONFLICT, "not a spot machine", () -> world.schedule(Cause.PREEMPT, "m0"));
        assertRefused(Problem.CONFLICT, "spot machine", () -> world.schedule(Cause.TERMINATE, "m5"));
    }

    @Test
    void aTerminatedMachineLeavesTheFleetAndTheIncarnationStays() {
        EventId id = world.schedule(Cause.TERMINATE, "m3");
        world.pass(Duration.ofMinutes(5));
        world.report(id, DriverReport.DONE);
        assertTrue(world.engine.view().machine(EngineHarness.machine("m3")).isEmpty());
        assertEquals(5, world.engine.view().machines(WEB).size());
        assertEquals(4, world.incarnation());
    }

    @Test
    void anUnknownNameSuggestsANearOne() {
        assertRefused(Problem.NOT_FOUND, "did you mean m1", () -> world.schedule(Cause.RESTART, "M1"));
    }

    @Test
    void oneBadNameAmongManyChangesNothing() {
        List<MachineId> machines = List.of(EngineHarness.machine("m0"), EngineHarness.machine("nobody"));
        assertThrows(RefusedException.class, () -> world.ask(restart(machines)));
        assertEquals(1, world.incarnation());
        assertTrue(world.shown().isEmpty());
    }

    @Test
    void overridingWorkDoesNotQueueBehindWaitingWork() {
        world.schedule(Cause.RESTART, "m5");
        EventId freeze = world.schedule(Cause.FREEZE, "m5");
        EventId preempt = world.schedule(Cause.PREEMPT, "m5");
        assertEquals(Phase.SCHEDULED, world.event(preempt).orElseThrow().phase());
        assertEquals(Phase.WAITING, world.event(freeze).orElseThrow().phase());
        world.pass(Duration.ofSeconds(30));
        world.report(preempt, DriverReport.DONE);
        assertTrue(world.event(freeze).isEmpty());
    }

    @Test
    void aFailureNeverWaitsEvenInAGroupThatDoesNotPoll() {
        EngineHarness silent = EngineHarness.withWeb(ServiceTerms.AZURE);
        silent.schedule(Cause.RESTART, "m0");
        silent.schedule(Cause.FREEZE, "m1");
        EventId waiting = silent.schedule(Cause.FREEZE, "m2");
        assertEquals(Phase.WAITING, silent.event(waiting).orElseThrow().phase());
        EventId failure = silent.schedule(Cause.FAILURE, "m2");
        assertEquals(Phase.STARTED, silent.event(failure).orElseThrow().phase());
    }

    @Test
    void anEnabledGroupIsEnabledBeforeItsFirstAnswerIsOut() {
        EngineHarness silent = EngineHarness.withWeb(ServiceTerms.AZURE);
        silent.pass(Duration.ofDays(3));
        silent.ask(new Command.Enable(WEB, EngineHarness.PERSON));
        EventId id = silent.schedule(Cause.RESTART, "m0");
        assertEquals(Phase.SCHEDULED, silent.event(id).orElseThrow().phase());
    }

    static void assertRefused(Problem problem, String words, Executable asked) {
        RefusedException refusal = assertThrows(RefusedException.class, asked);
        assertEquals(problem, refusal.problem(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    }
}
