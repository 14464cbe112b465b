package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Owners who were told a date are told if nothing comes of it. */
class CancelledDatesTest extends RolloutFixture {
    private List<List<String>> cancelled() {
        return world.history.stream()
                .filter(entry -> entry.what().equals(HistoryEntry.What.ROLLOUT_CANCELLED.name()))
                .map(entry -> entry.machines().stream().sorted().toList())
                .toList();
    }

    private void startLater(RolloutSpec spec) {
        start(spec.with(b -> b.at = world.now().plus(Duration.ofHours(2))));
    }

    @Test
    void anAbortIsToldToOwnersWhoseMachinesWereShownNothingYet() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        passUntil(turn(0).at().minus(NOTICE));
        assertEquals(1, world.shown().size());
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        assertEquals(List.of(List.of("w1", "w2")), cancelled(), "w0 reads that its event is cancelled");
    }

    @Test
    void soIsAMoveToAHostThatTheRolloutDoesNotWorkOn() {
        webOnHosts(3);
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0", "host-1"));
        place(EngineHarness.WEB, "w0", 0, "host-1");
        assertEquals(List.of(), cancelled(), "it has the date of its new host");
        place(EngineHarness.WEB, "w1", 1, "host-9");
        assertEquals(List.of(List.of("w1")), cancelled());
    }

    @Test
    void soIsATagThatIsTakenAway() {
        webOnHosts(2);
        startLater(spec("os", RolloutTarget.Kind.TAG, "env=w0"));
        place(machine(EngineHarness.WEB, "w1", 1, "host-1"));
        assertEquals(List.of(), cancelled());
        place(new MachineSpec(
                0,
                EngineHarness.machine("w0"),
                EngineHarness.WEB,
                0,
                0,
                "host-0",
                List.of(),
                "",
                false,
                Map.of("env", "other")));
        assertEquals(List.of(List.of("w0")), cancelled());
    }

    @Test
    void aResumeAfterWhichAUnitIsTooLateIsRefusedAsAWhole() {
        apply(1, List.of(machine(EngineHarness.WEB, "w", 0, "host-0"), machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "w");
        world.poll(DB, "d");
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1))
                .with(b -> b.until = world.now().plus(Duration.ofMinutes(45))));
        passUntil(turn(0).at().plus(Duration.ofMinutes(3)));
        EventId work = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(work, DriverReport.FAILED);
        assertEquals(Status.HALTED, rollout().status());
        world.ask(new Command.SetPolicy(
                new Policy(
                        new Scope("default", "db", null),
                        Duration.ofMinutes(30),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null),
                EngineHarness.PERSON));
        long told = world.history.size();
        RefusedException refusal = assertThrows(
                RefusedException.class, () -> world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON)));
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(refusal.getMessage().contains("host-1 cannot start by"), refusal.getMessage());
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(1, rollout().failed(), "it can still be retried");
        assertEquals(told, world.history.size());
    }

    private List<HistoryEntry> entries(HistoryEntry.What what) {
        return world.history.stream()
                .filter(entry -> entry.what().equals(what.name()))
                .toList();
    }

    private List<String> why() {
        return entries(HistoryEntry.What.ROLLOUT_CANCELLED).stream()
                .map(HistoryEntry::detail)
                .toList();
    }

    private void resume(boolean retry) {
        world.ask(new Command.ResumeRollout("os", retry, EngineHarness.PERSON));
    }

    private void abort() {
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
    }

    /** Halts because w1 came to the host of w0, which is in another update domain of the same group. */
    private void haltOverASecondDomain() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        place(EngineHarness.WEB, "w1", 1, "host-0");
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(List.of(), cancelled(), "the host may still be worked on");
    }

    /** Halts because no window suits both groups on the host. */
    private void haltWithoutAWindow() {
        twoGroupsOnHosts(1);
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        policy(EngineHarness.WEB, 1);
        policy(DB, 5);
        world.pass(Duration.ofHours(3));
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(List.of(), cancelled());
    }

    @Test
    void anAbortIsToldToOwnersOfAHostThatCannotBeWorkedOn() {
        haltOverASecondDomain();
        abort();
        assertEquals(List.of(List.of("w0", "w1")), cancelled());
    }

    @Test
    void soIsAResumeThatGoesOnWithoutTheHost() {
        haltOverASecondDomain();
        resume(false);
        assertEquals(Status.DONE, rollout().status());
        assertEquals(List.of(List.of("w0", "w1")), cancelled());
        assertEquals(List.of("the rollout goes on without what could not be worked on"), why());
    }

    @Test
    void soIsAnAbortWhenNoWindowSuitsAllGroupsOfAHost() {
        haltWithoutAWindow();
        abort();
        assertEquals(List.of(List.of("d0", "w0")), cancelled());
    }

    @Test
    void soIsAResumeWhenNoWindowSuitsAllGroupsOfAHost() {
        haltWithoutAWindow();
        resume(false);
        assertEquals(List.of(List.of("d0", "w0")), cancelled());
    }

    @Test
    void aMachineThatLeavesAHostThatCannotBeWorkedOnIsToldThatItsDateIsOff() {
        haltOverASecondDomain();
        place(EngineHarness.WEB, "w0", 0, "host-9");
        assertEquals(List.of(List.of("w0")), cancelled());
        abort();
        assertEquals(List.of(List.of("w0"), List.of("w1")), cancelled());
    }

    @Test
    void aRetryOfAHostThatStillCannotBeWorkedOnPromisesNothing() {
        haltOverASecondDomain();
        passUntil(turn(0).at().minus(Duration.ofMinutes(5)));
        for (int retries = 1; retries < 4; retries++) {
            resume(true);
            assertEquals(Status.HALTED, rollout().status());
            assertEquals(1, rollout().failed());
            assertEquals(List.of(), entries(HistoryEntry.What.ROLLOUT_MOVED));
            assertEquals(1, entries(HistoryEntry.What.ROLLOUT_PLANNED).size());
            world.pass(Duration.ofHours(1));
        }
        assertEquals(List.of(List.of("w0", "w1")), cancelled(), "the date has passed");
        abort();
        assertEquals(1, cancelled().size());
    }

    @Test
    void aRetryWithoutACommonWindowPromisesNothingEither() {
        haltWithoutAWindow();
        List<HistoryEntry> moved = entries(HistoryEntry.What.ROLLOUT_MOVED);
        for (int retries = 1; retries < 4; retries++) {
            world.pass(Duration.ofDays(1));
            resume(true);
            assertEquals(Status.HALTED, rollout().status());
        }
        assertEquals(moved, entries(HistoryEntry.What.ROLLOUT_MOVED));
        assertEquals(1, entries(HistoryEntry.What.ROLLOUT_PLANNED).size());
        abort();
        assertEquals(List.of(List.of("d0", "w0")), cancelled());
    }

    @Test
    void aPauseMovesNoDateOfAHostThatCannotBeWorkedOn() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0", "host-2"));
        place(EngineHarness.WEB, "w1", 1, "host-0");
        assertEquals(Status.RUNNING, rollout().status());
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        passUntil(turn(1).at());
        resume(false);
        assertEquals(
                List.of(List.of("w2")),
                entries(HistoryEntry.What.ROLLOUT_MOVED).stream()
                        .map(HistoryEntry::machines)
                        .toList());
    }

    @Test
    void aHostThatWasLeftOutAndIsRetriedAfterAllIsPlannedAnew() {
        webOnHosts(3);
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0", "host-2"));
        place(EngineHarness.WEB, "w1", 1, "host-0");
        place(EngineHarness.WEB, "w2", 2, "host-9");
        world.pass(Duration.ofHours(4));
        assertEquals(Status.HALTED, rollout().status());
        place(EngineHarness.WEB, "w2", 2, "host-2");
        resume(false);
        assertEquals(Status.RUNNING, rollout().status());
        assertEquals(List.of(List.of("w2"), List.of("w0", "w1")), cancelled());
        place(EngineHarness.WEB, "w1", 1, "host-9");
        world.pass(Duration.ofHours(1));
        EventId work = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(work, DriverReport.FAILED);
        resume(true);
        HistoryEntry planned = entries(HistoryEntry.What.ROLLOUT_PLANNED).stream()
                .filter(entry -> entry.at().equals(world.now()))
                .findFirst()
                .orElseThrow();
        assertEquals(List.of("w0"), planned.machines());
        assertEquals(2, cancelled().size());
    }

    /** The evacuation of w1 from the host of w0 is under way. */
    private EventId evacuate() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(EngineHarness.WEB, "w1", 1, "host-0")));
        world.poll(EngineHarness.WEB, "w0");
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0").withEvacuation(true));
        passUntil(turn(0).next().minus(Duration.ofMinutes(1)));
        assertEquals(List.of("w1"), only(EngineHarness.WEB).resources());
        return only(EngineHarness.WEB).id();
    }

    private void failEvacuation() {
        EventId evacuation = evacuate();
        passUntil(turn(0).next());
        world.running.clear();
        world.report(evacuation, DriverReport.FAILED);
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(List.of(), cancelled(), "it may be retried");
    }

    @Test
    void anAbortAfterAFailedEvacuationIsToldToOwnersOfMachinesThatStayed() {
        failEvacuation();
        abort();
        assertEquals(List.of(List.of("w0")), cancelled());
    }

    @Test
    void soIsTheEndOfARolloutWhoseEvacuationFailed() {
        failEvacuation();
        resume(false);
        assertEquals(Status.DONE, rollout().status());
        assertEquals(List.of(List.of("w0")), cancelled());
        assertEquals(List.of("the evacuation of its host failed"), why());
    }

    @Test
    void aResumeWithoutAHostWhoseEvacuationFailedIsToldAtOnce() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-0"),
                        machine(EngineHarness.WEB, "w1", 1, "host-0"),
                        machine(DB, "d", 0, "host-1")));
        policy(DB, 5);
        world.poll(EngineHarness.WEB, "w0");
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "*").withEvacuation(true));
        passUntil(turn(0).next());
        EventId evacuation = only(EngineHarness.WEB).id();
        world.running.clear();
        world.report(evacuation, DriverReport.FAILED);
        resume(false);
        assertEquals(Status.RUNNING, rollout().status());
        assertEquals(List.of(List.of("w0")), cancelled());
        passUntil(turn(1).at().plusSeconds(90));
        done();
        assertTrue(rollout().isOver());
        assertEquals(1, cancelled().size());
    }

    @Test
    void aHostThatCannotBeWorkedOnWhenItsDateComesIsToldAtOnce() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-0"),
                        machine(EngineHarness.WEB, "w1", 1, "host-9"),
                        machine(DB, "d", 0, "host-1")));
        policy(DB, 5);
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0", "host-1"));
        Instant date = turn(0).at();
        place(EngineHarness.WEB, "w1", 1, "host-0");
        passUntil(date.minusSeconds(1));
        assertEquals(List.of(), cancelled());
        passUntil(date.plusSeconds(1));
        assertEquals(List.of(List.of("w0", "w1")), cancelled());
        place(EngineHarness.WEB, "w1", 1, "host-9");
        world.pass(Duration.ofSeconds(1));
        assertTrue(turn(0).at().isAfter(date), "it gets another");
    }

    @Test
    void aMachineThatChangesToAnUpdateDomainThatIsDoneIsToldThatItsDateIsOff() {
        webOnHosts(2);
        startLater(spec("os", RolloutTarget.Kind.GROUPS, "default/web"));
        passUntil(turn(0).at().plusSeconds(90));
        done();
        place(EngineHarness.WEB, "w1", 0, "host-1");
        assertEquals(List.of(List.of("w1")), cancelled());
    }

    @Test
    void aRetriedEvacuationCancelsNothing() {
        failEvacuation();
        resume(true);
        assertEquals(Status.RUNNING, rollout().status());
        assertEquals(List.of(), cancelled());
    }

    @Test
    void theCancellationOfAnEvacuationIsToldToOwnersOfMachinesThatStay() {
        world.ask(new Command.Cancel(evacuate(), EngineHarness.PERSON));
        assertEquals(Status.DONE, rollout().status());
        assertEquals(List.of(List.of("w0")), cancelled());
    }

    @Test
    void ownersAreToldIfAMachineIsRemovedBeforeItIsShownAnything() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0", "host-1"));
        removeMachine("w2");
        assertEquals(List.of(), cancelled(), "the rollout does not work on it");
        passUntil(turn(0).at().minus(NOTICE));
        assertEquals(1, world.shown().size());
        removeMachine("w0");
        assertEquals(List.of(), cancelled(), "its event says so");
        removeMachine("w1");
        assertEquals(List.of(List.of("w1")), cancelled());
        assertEquals(List.of("removed from the fleet"), why());
    }

    @Test
    void soTheyAreIfItsGroupIsTheTarget() {
        webOnHosts(2);
        startLater(spec("os", RolloutTarget.Kind.GROUPS, "default/web").withRehearsal(true));
        removeMachine("w1");
        assertEquals(List.of(List.of("w1")), cancelled());
        assertEquals(List.of("rehearsal; removed from the fleet"), why());
    }

    @Test
    void soTheyAreIfItIsDeleted() {
        webOnHosts(2);
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.schedule(Cause.TERMINATE, "w1");
        assertEquals(List.of(), cancelled());
        world.pass(Duration.ofMinutes(10));
        done();
        assertEquals(List.of(List.of("w1")), cancelled());
        assertEquals(List.of("deleted"), why());
        abort();
        assertEquals(List.of(List.of("w1"), List.of("w0")), cancelled());
    }

    private MachineSpec spot(String name, int domain, String host) {
        return new MachineSpec(
                0, EngineHarness.machine(name), EngineHarness.WEB, domain, domain, host, List.of(), "", true, Map.of());
    }

    @Test
    void soTheyAreIfItIsPreempted() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), spot("w1", 1, "host-1")));
        startLater(spec("os", RolloutTarget.Kind.GROUPS, "default/web"));
        world.schedule(Cause.PREEMPT, "w1");
        world.pass(Duration.ofMinutes(1));
        done();
        assertEquals(List.of(List.of("w1")), cancelled());
        assertEquals(List.of("preempted"), why());
        removeMachine("w1");
        abort();
        assertEquals(List.of(List.of("w1"), List.of("w0")), cancelled(), "once for each");
    }

    @Test
    void nothingIsCancelledForAMachineThatIsPreemptedDuringTheWork() {
        apply(2, List.of(spot("w0", 0, "host-0"), spot("w1", 1, "host-1")));
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        passUntil(turn(0).at());
        assertEquals(1, world.running.size());
        world.schedule(Cause.PREEMPT, "w0");
        done();
        world.pass(Duration.ofMinutes(1));
        done();
        assertEquals(Status.DONE, rollout().status());
        assertEquals(List.of(), cancelled());
    }

    private void redeploy(String machine, DriverReport report) {
        world.schedule(Cause.REDEPLOY, machine);
        world.pass(Duration.ofMinutes(15));
        List<EventId> ids = List.copyOf(world.running.keySet());
        assertEquals(1, ids.size());
        world.running.clear();
        assertEquals(List.of(), cancelled(), "it may still fail");
        world.report(ids.get(0), report);
    }

    private RolloutSpec selfService(RolloutTarget.Kind kind, String... names) {
        return spec("os", kind, names).withSelfServiceUntil(world.now().plus(Duration.ofHours(6)));
    }

    @Test
    void soTheyAreIfItsOwnerRedeploysItDuringSelfService() {
        webOnHosts(2);
        start(selfService(RolloutTarget.Kind.HOSTS, "*"));
        redeploy("w0", DriverReport.DONE);
        assertEquals(List.of(List.of("w0")), cancelled());
        assertEquals(List.of("redeployed by its owner, which counts as the work"), why());
        place(EngineHarness.WEB, "w0", 0, "host-9");
        abort();
        assertEquals(List.of(List.of("w0"), List.of("w1")), cancelled(), "once for each");
    }

    @Test
    void theSameIfTheFleetNamesItsNewHostBeforeTheMoveIsOver() {
        webOnHosts(2);
        start(selfService(RolloutTarget.Kind.HOSTS, "*"));
        world.schedule(Cause.REDEPLOY, "w0");
        world.pass(Duration.ofMinutes(15));
        place(EngineHarness.WEB, "w0", 0, "host-9");
        done();
        assertEquals(List.of(List.of("w0")), cancelled());
    }

    @Test
    void theSameIfItsGroupIsTheTarget() {
        webOnHosts(2);
        start(selfService(RolloutTarget.Kind.GROUPS, "default/web"));
        redeploy("w0", DriverReport.DONE);
        assertEquals(List.of(List.of("w0")), cancelled());
        world.schedule(Cause.REDEPLOY, "w0");
        world.pass(Duration.ofMinutes(15));
        done();
        assertEquals(List.of(List.of("w0")), cancelled());
    }

    @Test
    void nothingIsCancelledIfTheRedeployFailsOrIsNotForItsOwner() {
        webOnHosts(2);
        start(selfService(RolloutTarget.Kind.HOSTS, "*"));
        redeploy("w0", DriverReport.FAILED);
        assertEquals(List.of(), cancelled());
        abort();
        world.ask(new Command.RemoveRollout("os", EngineHarness.PERSON));
        long before = cancelled().size();
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        world.schedule(Cause.REDEPLOY, "w1");
        world.pass(Duration.ofMinutes(15));
        done();
        assertEquals(before, cancelled().size());
    }
}
