package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.MachineCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Work over many hosts: whom it hits, when it starts, what stops it. */
class RolloutTest extends RolloutFixture {
    @Test
    void workOnAHostStartsOnceWhenEveryGroupHasApproved() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));

        approve(EngineHarness.WEB);
        assertEquals(Phase.SCHEDULED, only(EngineHarness.WEB).phase());
        approve(DB);
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
        assertEquals(Phase.STARTED, only(DB).phase());
        assertEquals(1, world.running.size());
        DriverTask task = world.running.values().iterator().next();
        assertEquals(2, task.machines().size());

        done();
        assertTrue(open(EngineHarness.WEB).isEmpty());
        assertTrue(open(DB).isEmpty());
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void workOnAHostStartsWhenTheNoticeOfEveryGroupIsOver() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        approve(EngineHarness.WEB);
        world.pass(NOTICE.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void aGroupThatIsNotEnabledIsTakenAlongWithoutBeingShown() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        assertTrue(world.engine.view().find(DB).document().events().isEmpty());
        approve(EngineHarness.WEB);
        world.pass(NOTICE.minusSeconds(1));
        assertTrue(world.running.isEmpty(), "its owners were told a date and have not approved");
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, only(DB).phase());
        assertTrue(world.engine.view().find(DB).document().events().isEmpty());
    }

    @Test
    void aPersonApprovesForAGroupThatIsNotEnabled() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        approve(EngineHarness.WEB);
        world.ask(new Command.Approve(null, List.of(only(DB).id()), EngineHarness.PERSON));
        assertEquals(Phase.STARTED, only(DB).phase());
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
    }

    @Test
    void oneUpdateDomainAtATimeWithTimeToRecover() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(0, only(EngineHarness.WEB).work().updateDomain());
        world.pass(NOTICE.plusMinutes(5));
        Instant ended = world.now();
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(turn(1).at().minus(NOTICE));
        assertEquals(1, only(EngineHarness.WEB).work().updateDomain());
        assertEquals(
                ended.plus(RECOVERY), only(EngineHarness.WEB).noticePeriod().notBefore());
        approve(EngineHarness.WEB);
        assertTrue(world.running.isEmpty(), "the other domain still recovers");
        world.pass(NOTICE);
        assertEquals(1, world.running.size());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMachineThatUsedToAskMustAskAgainBeforeItsGroupGoesOn() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        approve(EngineHarness.WEB);
        world.pass(Duration.ofSeconds(1));
        done();
        world.pass(Duration.ofHours(2));
        assertEquals(turn(1).first(), only(EngineHarness.WEB).noticePeriod().notBefore(), "nobody knows another date");
        assertTrue(world.running.isEmpty(), "w0 has not asked again");
        world.poll(EngineHarness.WEB, "w0");
        world.pass(Duration.ofMinutes(1));
        assertEquals(1, world.running.size());
        assertEquals(1, only(EngineHarness.WEB).work().updateDomain());
    }

    @Test
    void aMachineMaySayItselfThatItHasRecovered() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        approve(EngineHarness.WEB);
        world.pass(Duration.ofSeconds(1));
        done();
        world.pass(Duration.ofHours(2));
        assertTrue(world.running.isEmpty(), "w0 has not asked again");
        world.ask(new Command.Recovered(EngineHarness.WEB, "w0", EngineHarness.PERSON));
        world.pass(Duration.ofMinutes(1));
        assertEquals(1, world.running.size());
        assertEquals(1, only(EngineHarness.WEB).work().updateDomain());
    }

    @Test
    void noMoreHostsAtOnceThanAllowed() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            machines.add(machine(DB, "d" + i, 0, "host-" + i));
        }
        apply(1, machines);
        world.poll(DB, "d0");
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 2)));
        assertEquals(2, open(DB).size());
        assertEquals(2, rollout().open());
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        assertTrue(open(DB).isEmpty());
        assertEquals(Status.ABORTED, rollout().status());
        assertEquals(0, rollout().done(), "what was called off was not done");
        assertEquals(5, rollout().pending());
    }

    @Test
    void aPercentageOfTheHostsAtOnceIsAtLeastOne() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            machines.add(machine(DB, "d" + i, 0, "host-" + i));
        }
        apply(1, machines);
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.PERCENT, 10)));
        assertEquals(1, rollout().open());
    }

    @Test
    void oneFaultDomainAtOnce() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MachineId id = new MachineId("default", "d" + i);
            machines.add(new MachineSpec(0, id, DB, 0, i % 2, "host-" + i, List.of(), "", false, Map.of()));
        }
        apply(1, machines);
        world.poll(DB, "d0");
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.FAULT_DOMAIN, 0)));
        assertEquals(
                List.of(List.of("d0"), List.of("d2")),
                open(DB).stream().map(Event::resources).toList());
    }

    @Test
    void aFailureHaltsItAndResumeGoesOn() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(1, world.running.size(), "nobody asked, so there is no notice");
        EventId first = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(first, DriverReport.FAILED);
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(rollout().why().contains("host-0"), rollout().why());
        world.pass(Duration.ofHours(1));
        assertTrue(open(EngineHarness.WEB).isEmpty());

        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertTrue(world.running.isEmpty(), "w0 is down, so no other domain may go down");
        EventId repair = world.schedule(Cause.RESTART, "w0");
        world.running.clear();
        world.report(repair, DriverReport.DONE);
        assertEquals(1, only(EngineHarness.WEB).work().updateDomain());
        done();
        assertEquals(Status.DONE, rollout().status());
        assertEquals(1, rollout().failed());
        assertEquals(1, rollout().done());
    }

    @Test
    void aPauseHoldsScheduledEventsAndResumeReleasesThem() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        approve(EngineHarness.WEB);
        world.pass(NOTICE.multipliedBy(2));
        assertTrue(world.running.isEmpty());
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void anAbortLetsWhatHasStartedFinish() {
        List<MachineSpec> machines =
                List.of(machine(DB, "d0", 0, "host-0"), machine(EngineHarness.WEB, "w0", 0, "host-1"));
        apply(1, machines);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(1, world.running.size(), "only web asks for notice");
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        assertTrue(open(EngineHarness.WEB).isEmpty());
        assertEquals(Phase.STARTED, only(DB).phase());
        done();
        assertTrue(open(DB).isEmpty());
        assertEquals(Status.ABORTED, rollout().status());
        assertEquals(0, rollout().open());
    }

    @Test
    void aHostWithTwoUpdateDomainsOfAGroupIsRefusedOrEvacuatedFirst() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(EngineHarness.WEB, "w1", 1, "host-0")));
        RolloutSpec plain = spec("os", RolloutTarget.Kind.HOSTS, "host-0");
        RefusedException refusal = assertThrows(RefusedException.class, () -> start(plain));
        assertTrue(refusal.getMessage().contains("update domains 0 and 1"), refusal.getMessage());

        start(plain.withEvacuation(true));
        assertEquals(Cause.HOST_REDEPLOY, only(EngineHarness.WEB).work().cause());
        assertEquals(List.of("w1"), only(EngineHarness.WEB).resources());
        done();
        passUntil(turn(0).at());
        assertEquals(Cause.HOST_REBOOT, only(EngineHarness.WEB).work().cause());
        assertEquals(List.of("w0"), only(EngineHarness.WEB).resources());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void machinesRedeployedDuringSelfServiceCountAsDone() {
        webOnHosts(2);
        RolloutSpec plain = spec("os", RolloutTarget.Kind.HOSTS, "*");
        Instant until = world.now().plus(Duration.ofHours(4));
        start(plain.withSelfServiceUntil(until));
        assertTrue(open(EngineHarness.WEB).isEmpty());
        world.report(world.schedule(Cause.REDEPLOY, "w0"), DriverReport.DONE);
        world.running.clear();
        passUntil(turn(1).at());
        assertEquals(List.of("w1"), only(EngineHarness.WEB).resources());
        done();
        assertEquals(Status.DONE, rollout().status());
        assertEquals(2, rollout().done());
    }

    @Test
    void aRehearsalIsScheduledAndStartedAndTouchesNoMachine() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        RolloutSpec plain = spec("os", RolloutTarget.Kind.HOSTS, "*");
        start(plain.withRehearsal(true));
        approve(EngineHarness.WEB);
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
        List<HistoryEntry> told = world.log();
        assertTrue(told.stream().anyMatch(e -> e.detail().equals("os: rehearsal of 1 unit")), told.toString());
        assertTrue(
                told.stream()
                        .anyMatch(e -> e.what().equals(Transition.SCHEDULED.name())
                                && e.detail().equals(HistoryEntry.REHEARSAL)),
                told.toString());
        MachineId machine = new MachineId("default", "w0");
        assertEquals(
                MachineCondition.State.RUNNING,
                world.engine.view().condition(machine).state());
        done();
        assertEquals(0, world.engine.view().condition(machine).boots());
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void groupsAndTagsGoDomainByDomain() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web"));
        assertEquals(2, rollout().units());
        assertEquals(List.of("w0"), only(EngineHarness.WEB).resources());
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        done();
        start(spec("tagged", RolloutTarget.Kind.TAG, "env=w1"));
        world.pass(RECOVERY);
        assertEquals(List.of("w1"), only(EngineHarness.WEB).resources());
    }

    @Test
    void overlappingUnknownOrEmptyTargetsAreRefusedAndNothingChanges() {
        twoGroupsOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        long before = world.engine.view().state(EngineHarness.WEB).incarnation();
        assertEquals(Problem.CONFLICT, refused(spec("os", RolloutTarget.Kind.HOSTS, "host-1")));
        assertEquals(Problem.CONFLICT, refused(spec("again", RolloutTarget.Kind.HOSTS, "host-0")));
        assertEquals(Problem.CONFLICT, refused(spec("group", RolloutTarget.Kind.GROUPS, "default/web")));
        RefusedException unknown =
                assertThrows(RefusedException.class, () -> start(spec("x", RolloutTarget.Kind.HOSTS, "host-9")));
        assertEquals(Problem.NOT_FOUND, unknown.problem());
        assertTrue(unknown.getMessage().contains("host-"), unknown.getMessage());
        assertEquals(Problem.NOT_FOUND, refused(spec("x", RolloutTarget.Kind.GROUPS, "default/wep")));
        assertEquals(Problem.BAD_INPUT, refused(spec("x", RolloutTarget.Kind.TAG, "env=nobody")));
        assertEquals(Problem.BAD_INPUT, refused(spec("x", RolloutTarget.Kind.TAG, "env")));
        assertEquals(1, world.engine.view().rollouts().size());
        assertEquals(before, world.engine.view().state(EngineHarness.WEB).incarnation());
    }

    @Test
    void aHostThatIsDoneMayBeWorkedOnByAnotherRollout() {
        webOnHosts(3);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        passUntil(turn(0).at());
        assertEquals(Problem.CONFLICT, refused(spec("repair", RolloutTarget.Kind.HOSTS, "host-0")));
        done();
        start(spec("repair", RolloutTarget.Kind.HOSTS, "host-0"));
        assertEquals(Problem.CONFLICT, refused(spec("next", RolloutTarget.Kind.HOSTS, "host-1")));
        assertEquals(Problem.CONFLICT, refused(spec("group", RolloutTarget.Kind.GROUPS, "default/web")));
    }

    @Test
    void afterACrashItGoesOnWhereItWas() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.answerToStatus = DriverReport.DONE;
        world.open();
        assertEquals(1, rollout().done());
        passUntil(turn(1).at());
        assertEquals(1, rollout().open());
        world.open();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aRolloutStartsNothingOutsideItsOwnWindows() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(windowedAndShown(18));
        Instant opens = Instant.parse("2026-03-01T18:00:00Z");
        assertEquals(opens, only(EngineHarness.WEB).noticePeriod().notBefore());
        approve(EngineHarness.WEB);
        assertTrue(world.running.isEmpty(), "approved, and the window is closed");
        assertTrue(world.engine
                .rules()
                .blocker(world.engine.view(), EngineHarness.WEB, only(EngineHarness.WEB), world.now())
                .orElseThrow()
                .why()
                .contains("rollout os"));
        world.pass(Duration.between(world.now(), opens));
        assertEquals(1, world.running.size());
    }

    @Test
    void aRolloutWithoutAWindowThatSuitsItsGroupsIsRefusedAndNothingChanges() {
        twoGroupsOnHosts(1);
        policy(EngineHarness.WEB, 3);
        policy(DB, 3);
        RefusedException refusal = assertThrows(RefusedException.class, () -> start(windowed(18)));
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(refusal.getMessage().contains("default/db"), refusal.getMessage());
        policy(DB, 18);
        assertEquals(
                Problem.CONFLICT, refused(spec("os", RolloutTarget.Kind.HOSTS, "*")), "web and db have none in common");
        assertTrue(world.engine.view().rollouts().isEmpty());
    }

    @Test
    void aUnitWhoseGroupsLostTheirCommonWindowHaltsAndIsRetriedOnceTheyHaveOneAgain() {
        twoGroupsOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        policy(EngineHarness.WEB, 18);
        policy(DB, 3);
        assertEquals(1, rollout().open());
        world.ask(new Command.Cancel(only(EngineHarness.WEB).id(), EngineHarness.PERSON));
        world.pass(Duration.ofHours(30));
        assertEquals(0, rollout().open(), "no moment suits both");
        assertEquals(Status.HALTED, rollout().status());
        policy(DB, 18);
        world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON));
        world.turn();
        assertEquals(1, rollout().open());
    }

    @Test
    void postponingOneEventOfAHostMovesTheOthers() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        policy(EngineHarness.WEB, 12);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        Instant until = world.now().plus(Duration.ofHours(1));
        long incarnation = world.engine.view().state(DB).incarnation();
        world.ask(new Command.Postpone(null, only(EngineHarness.WEB).id(), until, null, EngineHarness.PERSON));
        assertEquals(until, only(EngineHarness.WEB).noticePeriod().notBefore());
        assertEquals(until, only(DB).noticePeriod().notBefore());
        assertEquals(incarnation + 1, world.engine.view().state(DB).incarnation());
        assertTrue(only(DB).postponements().isEmpty(), "it counts against who asked");
        world.pass(Duration.ofMinutes(59));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofMinutes(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void failedUnitsAreRetriedOnRequest() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        EventId first = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(first, DriverReport.FAILED);
        world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON));
        assertEquals(0, rollout().failed());
        assertEquals(List.of("w0"), only(EngineHarness.WEB).resources());
        done();
        passUntil(turn(1).at());
        done();
        assertEquals(Status.DONE, rollout().status());
        assertEquals(2, rollout().done());
    }

    @Test
    void aRetryOfNothingIsRefused() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        assertThrows(
                RefusedException.class, () -> world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON)));
        assertEquals(Status.PAUSED, rollout().status());
    }

    @Test
    void aPlanSaysWhichOtherRolloutWorksOnTheSame() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        List<String> blocked = world.engine
                .rules()
                .plan(world.engine.view(), spec("more", RolloutTarget.Kind.HOSTS, "*"), world.now())
                .blocked();
        assertTrue(blocked.get(0).contains("rollout os"), blocked.toString());
    }

    @Test
    void aCrashAfterAnyTurnLosesNothingAndDoesNothingTwice() {
        for (int crashes = 1; crashes < 12; crashes++) {
            RolloutTest each = new RolloutTest();
            each.crashAfterEvery(crashes);
        }
    }

    /** Drives a rollout to its end with a crash after every so many turns. */
    private void crashAfterEvery(int turns) {
        twoGroupsOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        world.engine.roll(spec("os", RolloutTarget.Kind.HOSTS, "*"), EngineHarness.PERSON, null);
        world.engine.turn(new ClockReading(world.now(), world.nanos()));
        world.answerToStatus = DriverReport.RUNNING;
        for (int round = 0; round < 400 && !rollout().isOver(); round++) {
            world.engine.turn(new ClockReading(world.now(), world.nanos()));
            if (round % turns == 0) {
                world.open();
            }
            Map.copyOf(world.running).keySet().forEach(id -> {
                if (world.event(id).filter(e -> e.phase() == Phase.STARTED).isPresent()) {
                    world.running.remove(id);
                    world.report(id, DriverReport.DONE);
                }
            });
            world.pass(Duration.ofMinutes(5));
            world.poll(EngineHarness.WEB, "w0");
            world.poll(EngineHarness.WEB, "w1");
        }
        assertEquals(Status.DONE, rollout().status());
        assertEquals(3, rollout().done());
        assertEquals(
                3,
                world.told.stream()
                        .filter(t -> t.startsWith("start"))
                        .distinct()
                        .count());
    }
}
