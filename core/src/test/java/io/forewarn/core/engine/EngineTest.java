package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.SimulatedStore.Fault;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EngineTest {
    private final EngineHarness world = EngineHarness.enabled();

    private static Command restart(String machine) {
        return new Command.Schedule(
                Cause.RESTART, List.of(EngineHarness.machine(machine)), null, null, EngineHarness.PERSON);
    }

    private RefusedException refusal(CompletableFuture<CommandResult> asked) {
        world.turn();
        return assertThrows(RefusedException.class, () -> world.ask(asked));
    }

    /** With a manual clock, a machine often polls at the very moment at which polls were saved. */
    @Test
    void noPollIsLostWhenTheEngineIsClosed() {
        for (int i = 0; i < 4; i++) {
            world.pass(Duration.ofHours(1));
            world.poll(EngineHarness.WEB, "m1");
        }
        world.poll(EngineHarness.WEB, "m2");
        world.engine.close(world.moment());
        world.open();
        assertEquals(world.now(), world.engine.view().lastPoll(EngineHarness.machine("m1")));
        assertEquals(world.now(), world.engine.view().lastPoll(EngineHarness.machine("m2")));
    }

    @Test
    void commandsThatWaitTogetherAreOneCommit() throws Exception {
        long before = world.store.recover().seq();
        List<CompletableFuture<CommandResult>> asked = new ArrayList<>();
        IntStream.range(0, 5).forEach(i -> asked.add(world.engine.submit(restart("m" + i))));
        world.turn();
        assertTrue(asked.stream().allMatch(CompletableFuture::isDone));
        assertEquals(before + 1, world.store.recover().seq());
        assertEquals(6, world.incarnation());
    }

    @Test
    void whoeverIsAnsweredFindsInHistoryWhatWasDone() {
        int before = world.history.size();
        List<Integer> found = new ArrayList<>();
        world.engine.submit(restart("m0")).thenRun(() -> found.add(world.history.size() - before));
        world.turn();
        assertEquals(List.of(1), found);
    }

    @Test
    void aRefusedCommandDoesNotHarmItsNeighbours() {
        CompletableFuture<CommandResult> bad = world.engine.submit(restart("nobody"));
        CompletableFuture<CommandResult> good = world.engine.submit(restart("m0"));
        assertEquals(Problem.NOT_FOUND, refusal(bad).problem());
        assertEquals(1, world.ask(good).events().size());
    }

    @Test
    void theSameKeyIsAnsweredAgainAndNotDoneAgainAlsoAfterACrash() {
        Engine.Once once = new Engine.Once("k1", "restart m0");
        CommandResult first = world.ask(world.engine.submit(restart("m0"), once));
        assertEquals(first.again(), world.ask(world.engine.submit(restart("m0"), once)));
        world.open();
        assertEquals(first.again(), world.ask(world.engine.submit(restart("m0"), once)));
        assertEquals(2, world.incarnation());
        RefusedException other = refusal(world.engine.submit(restart("m1"), new Engine.Once("k1", "restart m1")));
        assertEquals(Problem.BAD_INPUT, other.problem());
    }

    @Test
    void theSameKeyTwiceInOneTurnIsDoneOnce() {
        Engine.Once once = new Engine.Once("k1", "restart m0");
        CompletableFuture<CommandResult> first = world.engine.submit(restart("m0"), once);
        CompletableFuture<CommandResult> second = world.engine.submit(restart("m0"), once);
        assertEquals(world.ask(first).again(), world.ask(second));
        assertEquals(2, world.incarnation());
    }

    @Test
    void aKeyIsForgottenAfterADay() {
        Engine.Once once = new Engine.Once("k1", "restart m0");
        EventId id =
                world.ask(world.engine.submit(restart("m0"), once)).events().get(0);
        world.ask(new Command.Cancel(id, EngineHarness.PERSON));
        world.pass(Duration.ofHours(24).plusSeconds(1));
        world.poll(EngineHarness.WEB, "m0");
        EventId again =
                world.ask(world.engine.submit(restart("m0"), once)).events().get(0);
        assertFalse(again.equals(id));
    }

    @Test
    void aRejectedCommitIsReportedAndChangesNothing() {
        world.store.fail(Fault.REJECTED);
        assertEquals(
                Problem.STORE_UNAVAILABLE,
                refusal(world.engine.submit(restart("m0"))).problem());
        assertEquals(1, world.incarnation());
        assertTrue(world.engine.trouble().isPresent());
        world.schedule(Cause.RESTART, "m0");
        assertTrue(world.engine.trouble().isEmpty());
    }

    @Test
    void anUncertainCommitIsAnsweredOnlyWhenItIsKnownAndThenTruly() {
        for (Fault fault : List.of(Fault.KEPT, Fault.LOST)) {
            EngineHarness world = EngineHarness.enabled();
            world.store.fail(fault);
            world.store.failRecoveries(2);
            CompletableFuture<CommandResult> asked = world.engine.submit(restart("m0"));
            world.turn();
            assertFalse(asked.isDone());
            assertEquals(1, world.incarnation());
            CompletableFuture<CommandResult> newcomer = world.engine.submit(restart("m1"));
            world.turn();
            assertTrue(newcomer.isCompletedExceptionally());
            world.pass(Duration.ofSeconds(1));
            world.pass(Duration.ofSeconds(1));
            world.pass(Duration.ofSeconds(1));
            assertTrue(asked.isDone());
            assertEquals(fault == Fault.LOST, asked.isCompletedExceptionally());
            // Announced, and moved because it could be read only seconds later.
            assertEquals(fault == Fault.LOST ? 1 : 3, world.incarnation());
            world.schedule(Cause.RESTART, "m2");
        }
    }

    /** The thread that turns the engine may hang in the store meanwhile: nobody waits for it. */
    @Test
    void aNodeThatLostItsLeaseAnswersWaitingRequestsAtOnce() {
        world.store.fail(Fault.KEPT);
        world.store.failRecoveries(Integer.MAX_VALUE);
        CompletableFuture<CommandResult> begun = world.engine.submit(restart("m0"));
        world.turn();
        CompletableFuture<CommandResult> queued = world.engine.submit(restart("m1"));
        assertFalse(begun.isDone());
        assertFalse(queued.isDone());
        world.engine.release("the lease is lost");
        assertEquals(Problem.OUTCOME_UNKNOWN, refused(begun));
        assertEquals(Problem.NOT_WRITER, refused(queued));
        assertEquals(Problem.NOT_WRITER, refused(world.engine.submit(restart("m2"))));
        world.engine.fence("the lease is lost");
        assertTrue(world.engine.isFenced());
    }

    private static Problem refused(CompletableFuture<CommandResult> asked) {
        assertTrue(asked.isDone());
        return assertThrows(CompletionException.class, asked::join).getCause() instanceof RefusedException refusal
                ? refusal.problem()
                : null;
    }

    @Test
    void aWriterThatWasReplacedChangesNothingAnyMore() {
        Engine old = world.engine;
        SimulatedStore oldStore = world.store;
        world.open();
        CompletableFuture<CommandResult> asked = old.submit(restart("m0"));
        old.turn(new ClockReading(world.now(), world.nanos()));
        assertTrue(asked.isCompletedExceptionally());
        assertEquals(StoreException.Kind.FENCED, old.trouble().orElseThrow().kind());
        assertTrue(oldStore.limits().operations() > 0);
        assertEquals(1, world.incarnation());
        world.schedule(Cause.RESTART, "m0");
    }

    @Test
    void afterACrashTheDriverIsAskedFirst() {
        EventId id = world.schedule(Cause.FAILURE, "m0");
        world.told.clear();
        world.open();
        assertEquals(List.of("status " + id + " 1"), world.told);
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
    }

    @Test
    void onlyWorkUnknownToTheDriverIsRestarted() {
        EventId id = world.schedule(Cause.FAILURE, "m0");
        world.told.clear();
        world.answerToStatus = DriverReport.UNKNOWN;
        world.open();
        assertEquals(List.of("status " + id + " 1", "start " + id + " 2"), world.told);
        world.ask(new Command.Told(id, 1, DriverReport.DONE, "late"));
        assertTrue(world.event(id).isPresent());
        world.report(id, DriverReport.DONE);
        assertTrue(world.event(id).isEmpty());
    }

    @Test
    void workThatADriverFinishedMeanwhileIsAdopted() {
        EventId id = world.schedule(Cause.FAILURE, "m0");
        world.answerToStatus = DriverReport.DONE;
        world.open();
        assertTrue(world.event(id).isEmpty());
        assertEquals(3, world.incarnation());
    }

    @Test
    void aDeadlineSurvivesACrash() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.poll(EngineHarness.WEB, "m0");
        Instant notBefore = world.event(id).orElseThrow().noticePeriod().notBefore();
        world.pass(Duration.ofMinutes(10));
        world.open();
        assertEquals(notBefore, world.event(id).orElseThrow().noticePeriod().notBefore());
        world.pass(Duration.ofMinutes(5).minusSeconds(1));
        assertEquals(Phase.SCHEDULED, world.event(id).orElseThrow().phase());
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
    }

    @Test
    void anEventScheduledByTheLastCommitBeforeACrashGetsItsFullNotice() {
        world.store.fail(Fault.KEPT);
        world.store.failRecoveries(Integer.MAX_VALUE);
        CompletableFuture<CommandResult> lost = world.engine.submit(restart("m0"));
        world.turn();
        assertFalse(lost.isDone());
        world.pass(Duration.ofMinutes(14));
        world.open();
        Instant notBefore = world.shown().get(0).noticePeriod().notBefore();
        assertEquals(world.now().plus(Duration.ofMinutes(15)), notBefore);
        assertEquals(3, world.incarnation());
    }

    @Test
    void aFullQueueIsReportedAtOnce() {
        for (int i = 0; i < CommandQueues.CAPACITY; i++) {
            world.engine.submit(new Command.Enable(EngineHarness.WEB, Actor.SERVICE));
        }
        CompletableFuture<CommandResult> asked = world.engine.submit(restart("m0"));
        assertTrue(asked.isCompletedExceptionally());
        world.turn();
        world.schedule(Cause.RESTART, "m0");
    }

    @Test
    void aWaitingReaderIsWokenByAChangeAndNotByAnApprovalAlone() {
        List<String> woken = new ArrayList<>();
        EventId first = world.schedule(Cause.FREEZE, "m0");
        EventId second = world.schedule(Cause.FREEZE, "m1");
        world.approve(first);
        GroupView web = world.engine.view().find(EngineHarness.WEB);
        web.await(() -> woken.add("changed"));
        world.approve(second);
        assertEquals(List.of(), woken);
        world.report(first, DriverReport.DONE);
        assertEquals(List.of("changed"), woken);
    }

    @Test
    void historyIsKeptExactlyForItsRetention() {
        world.schedule(Cause.FAILURE, "m0");
        world.pass(Duration.ofDays(89));
        assertFalse(world.log().isEmpty());
        world.pass(Duration.ofDays(2));
        world.turn();
        assertTrue(world.log().isEmpty());
    }

    @Test
    void hundredsOfGroupsThatFallDueTogetherAllStart() {
        EngineHarness world = new EngineHarness(ServiceTerms.TEST, 1, 0);
        List<EventId> events = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            GroupId group = new GroupId("t" + i, "set");
            world.group(group, GroupKind.SCALE_SET, 2, 2);
            MachineId machine = new MachineId(group.tenant(), "m0");
            Command freeze = new Command.Schedule(Cause.FREEZE, List.of(machine), null, null, EngineHarness.PERSON);
            events.addAll(world.ask(freeze).events());
        }
        world.pass(Duration.ofMinutes(15));
        assertTrue(world.engine.trouble().isEmpty());
        assertTrue(events.stream().allMatch(id -> world.event(id).orElseThrow().phase() == Phase.STARTED));
    }

    @Test
    void theLargestCommandsFitOneAfterTheOther() {
        EngineHarness world = new EngineHarness(ServiceTerms.AZURE, 1, 0);
        List<MachineId> machines = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            GroupId group = new GroupId("t" + i, "set");
            world.group(group, GroupKind.SCALE_SET, 2, 2);
            machines.add(new MachineId(group.tenant(), "m0"));
        }
        CompletableFuture<CommandResult> first =
                world.engine.submit(new Command.Schedule(Cause.RESTART, machines, null, null, EngineHarness.PERSON));
        CompletableFuture<CommandResult> second =
                world.engine.submit(new Command.Enable(new GroupId("t0", "set"), Actor.SERVICE));
        List<MachineId> others =
                machines.stream().map(m -> new MachineId(m.tenant(), "m1")).toList();
        CompletableFuture<CommandResult> third =
                world.engine.submit(new Command.Schedule(Cause.PREEMPT, others, null, null, EngineHarness.PERSON));
        world.turn();
        assertEquals(50, world.ask(first).events().size());
        assertEquals(50, world.ask(third).events().size());
        assertTrue(second.isDone());
    }

    @Test
    void anEventVisibleOnlyAfterItsNoticeStillGetsItsNotice() {
        world.store.fail(Fault.KEPT);
        world.store.failRecoveries(3);
        CompletableFuture<CommandResult> asked = world.engine.submit(restart("m0"));
        world.turn();
        for (int i = 0; i < 5 && world.engine.trouble().isPresent(); i++) {
            world.pass(Duration.ofMinutes(10));
        }
        assertTrue(asked.isCompletedExceptionally(), "nobody waits that long");
        EventId id =
                world.engine.view().state(EngineHarness.WEB).events().get(0).id();
        assertEquals(Phase.SCHEDULED, world.event(id).orElseThrow().phase());
        world.pass(Duration.ofMinutes(14));
        assertEquals(Phase.SCHEDULED, world.event(id).orElseThrow().phase());
        world.pass(Duration.ofMinutes(1));
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
        HistoryEntry start = world.history.get(world.history.size() - 1);
        assertEquals(Duration.ofMinutes(15), start.given());
    }

    @Test
    void aSlowStoreMovesAnEventOnceAndNotForEver() {
        world.slowCommits(Duration.ofMillis(1300));
        CompletableFuture<CommandResult> asked = world.engine.submit(restart("m0"));
        for (int i = 0; i < 10; i++) {
            world.engine.turn(new ClockReading(world.now(), world.nanos()));
        }
        EventId id = world.ask(asked).events().get(0);
        assertEquals(List.of("SCHEDULED", "MOVED"), world.steps(id));
    }

    @Test
    void restartsWithNothingBetweenThemMoveAnEventOnce() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.skip(Duration.ofMinutes(2));
        world.open();
        Instant moved = world.event(id).orElseThrow().noticePeriod().notBefore();
        assertEquals(EngineHarness.START.plus(Duration.ofMinutes(17)), moved);
        world.pass(Duration.ofMinutes(2));
        world.open();
        world.pass(Duration.ofMinutes(2));
        world.open();
        assertEquals(moved, world.event(id).orElseThrow().noticePeriod().notBefore());
    }

    @Test
    void aRestartDoesNotMoveEventsVisibleBeforeTheLastCommit() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.pass(Duration.ofMinutes(2));
        world.open();
        assertEquals(
                EngineHarness.START.plus(Duration.ofMinutes(15)),
                world.event(id).orElseThrow().noticePeriod().notBefore(),
                "what time it is was written since");
    }

    @Test
    void aWallSetFarForwardAndBackDelaysNothing() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        Instant wall = world.now();
        world.setWall(wall.plus(Duration.ofHours(10)));
        world.setWall(wall);
        world.pass(Duration.ofMinutes(17));
        assertEquals(Phase.STARTED, world.event(id).orElseThrow().phase());
    }

    @Test
    void theManualClockHasAnEnd() {
        RefusedException refusal = refusal(world.engine.submit(
                new Command.MoveClock(Instant.parse("+10000-01-01T00:00:00Z"), EngineHarness.PERSON)));
        assertEquals(Problem.BAD_INPUT, refusal.problem());
    }

    @Test
    void aMachineOfALargeGroupCanBeTerminated() {
        GroupId big = new GroupId("other", "big");
        world.group(big, GroupKind.SCALE_SET, 5, 3000);
        world.poll(big, "m0");
        MachineId machine = new MachineId("other", "m7");
        EventId id = world.ask(
                        new Command.Schedule(Cause.TERMINATE, List.of(machine), null, null, EngineHarness.PERSON))
                .events()
                .get(0);
        world.pass(Duration.ofMinutes(5));
        world.report(id, DriverReport.DONE);
        assertTrue(world.engine.view().machine(machine).isEmpty());
    }
}
