package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.MachineCondition;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever the fleet does meanwhile: what a rollout is over is worked on, or it says what was left out and why. */
class RolloutCoverageTest extends RolloutFixture {
    private static RolloutSpec oneByOne(RolloutTarget target, boolean evacuate, boolean rehearsal) {
        return RolloutSpec.of("os", spec("os", target.kind()).cause(), target)
                .withRecovery(Duration.ZERO)
                .withAtOnce(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1))
                .withEvacuation(evacuate)
                .withRehearsal(rehearsal);
    }

    private static RolloutTarget group() {
        return new RolloutTarget(RolloutTarget.Kind.GROUPS, List.of("default/web"));
    }

    private static RolloutTarget hosts(String... hosts) {
        return new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of(hosts));
    }

    /** The work under way ends, and something happens before the next is announced. */
    private void whileNothingStarts(Runnable change) {
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        done();
        change.run();
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
    }

    /** The machines of each work, until nothing more happens. */
    private List<List<String>> works() {
        List<List<String>> works = new ArrayList<>();
        for (int i = 0; i < 10 && !rollout().isOver(); i++) {
            world.pass(Duration.ofHours(1));
            world.running
                    .values()
                    .forEach(task -> works.add(
                            task.machines().stream().map(Machine::name).sorted().toList()));
            done();
        }
        return works;
    }

    @Test
    void aMachineThatComesToAnUpdateDomainThatIsDoneIsWorkedOnInTheEnd() {
        webOnHosts(3);
        start(oneByOne(group(), false, false));
        whileNothingStarts(() -> place(EngineHarness.WEB, "w2", 0, "host-2"));
        assertEquals(1, rollout().done());
        assertEquals(List.of(List.of("w1"), List.of("w2")), works());
        assertEquals(Status.DONE, rollout().status());
        assertEquals(2, rollout().done());
        assertEquals(1, rollout().skipped(), "update domain 2 has nobody left");
    }

    @Test
    void soIsOneThatComesWhileTheWorkThereIsUnderWay() {
        webOnHosts(2);
        start(oneByOne(group(), false, false));
        place(EngineHarness.WEB, "w1", 0, "host-1");
        done();
        assertEquals(List.of(List.of("w1")), works());
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void soIsOneWhoseUpdateDomainTheRolloutDidNotHave() {
        apply(3, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(EngineHarness.WEB, "w1", 1, "host-1")));
        start(oneByOne(group(), false, false));
        whileNothingStarts(() -> place(EngineHarness.WEB, "w1", 2, "host-1"));
        assertEquals(List.of(List.of("w1")), works());
        assertEquals(Status.DONE, rollout().status());
        assertEquals(3, rollout().units());
    }

    @Test
    void aDomainThatWasSkippedIsWorkedOnWhenAMachineComesBackBeforeTheEnd() {
        apply(3, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(EngineHarness.WEB, "w1", 1, "host-1")));
        start(oneByOne(group(), false, false));
        whileNothingStarts(() -> place(EngineHarness.WEB, "w1", 2, "host-1"));
        passUntil(turn(1).at());
        world.pass(Duration.ofMinutes(15));
        assertEquals(
                List.of("w1"),
                world.running.values().iterator().next().machines().stream()
                        .map(Machine::name)
                        .toList());
        assertEquals(1, rollout().skipped());
        place(EngineHarness.WEB, "w2", 1, "host-2");
        done();
        assertEquals(List.of(List.of("w2")), works());
        assertEquals(Status.DONE, rollout().status());
        assertEquals(0, rollout().skipped());
        assertEquals(3, rollout().done());
    }

    @Test
    void aMachineWhoseOwnersMoveFailsAfterSelfServiceIsWorkedOnInTheEnd() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0")));
        Instant until = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web").withSelfServiceUntil(until));
        place(EngineHarness.WEB, "w0", 1, "host-0");
        passUntil(until.minusSeconds(60));
        EventId move = world.schedule(Cause.REDEPLOY, "w0");
        passUntil(until.plusSeconds(60));
        assertEquals(Status.RUNNING, rollout().status(), "whether it is done depends on the move");
        world.running.remove(move);
        world.report(move, DriverReport.FAILED);
        assertEquals(List.of(List.of("w0")), works());
        assertEquals(Status.DONE, rollout().status());
        assertEquals(1, rollout().done());
    }

    @Test
    void aFailedMachineThatChangedItsUpdateDomainIsRetriedThere() {
        webOnHosts(3);
        for (int i = 0; i < 3; i++) {
            world.poll(EngineHarness.WEB, "w" + i);
        }
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web").withRecovery(Duration.ofMinutes(5)));
        passUntil(turn(0).at());
        done();
        world.poll(EngineHarness.WEB, "w0");
        passUntil(turn(1).at());
        EventId failing = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(failing, DriverReport.FAILED);
        assertEquals(Status.HALTED, rollout().status());
        place(EngineHarness.WEB, "w1", 0, "host-1");
        world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON));
        world.pass(Duration.ofHours(1));
        assertEquals(List.of("w1"), works().get(0), "its group waits for it");
        world.poll(EngineHarness.WEB, "w1");
        works();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMachineIsWorkedOnOnceWhereverItMoves() {
        webOnHosts(2);
        start(oneByOne(group(), false, false));
        whileNothingStarts(() -> place(EngineHarness.WEB, "w0", 1, "host-0"));
        assertEquals(List.of(List.of("w1")), works());
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aRehearsalAlsoReachesEveryMachineOnce() {
        webOnHosts(2);
        start(oneByOne(group(), false, true));
        whileNothingStarts(() -> place(EngineHarness.WEB, "w1", 0, "host-1"));
        assertEquals(List.of(List.of("w1")), works());
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMachineThatGetsTheTagIsWorkedOnInTheEnd() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-0"), machine(EngineHarness.WEB, "b", 0, "host-1")));
        start(oneByOne(new RolloutTarget(RolloutTarget.Kind.TAG, List.of("env=a")), false, false));
        MachineSpec b = machine(EngineHarness.WEB, "b", 0, "host-1");
        place(new MachineSpec(
                0,
                b.id(),
                b.group(),
                b.updateDomain(),
                b.faultDomain(),
                b.host(),
                List.of(),
                "",
                false,
                Map.of("env", "a")));
        done();
        assertEquals(List.of(List.of("b")), works());
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aHostThatIsEmptyForAWhileIsWorkedOnWhenItsMachineIsBack() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(1, world.running.size(), "host-0 is first");
        place(EngineHarness.WEB, "w1", 1, "host-9");
        assertEquals(0, rollout().done());
        place(EngineHarness.WEB, "w1", 1, "host-1");
        done();
        assertEquals(List.of(List.of("w1")), works());
        assertEquals(2, rollout().done());
    }

    @Test
    void aUnitThatIsEmptyForAWhileAfterSchedulingIsKept() {
        webOnHosts(1);
        place(DB, "d", 0, "host-1");
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(1, open(EngineHarness.WEB).size());
        place(EngineHarness.WEB, "w0", 0, "host-9");
        assertTrue(open(EngineHarness.WEB).isEmpty());
        place(EngineHarness.WEB, "w0", 0, "host-0");
        assertEquals(List.of("w0"), only(EngineHarness.WEB).resources());
    }

    @Test
    void soIsOneThatIsEmptyForAWhileBetweenItsEvacuationAndItsWork() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(EngineHarness.WEB, "c", 0, "host-2")));
        start(oneByOne(hosts("host-1", "host-2"), true, false));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        done();
        place(EngineHarness.WEB, "b", 1, "host-3");
        place(EngineHarness.WEB, "a", 0, "host-4");
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(0, rollout().done());
        place(EngineHarness.WEB, "a", 0, "host-1");
        assertEquals(2, new java.util.HashSet<>(works()).size());
        assertEquals(2, rollout().done());
    }

    @Test
    void aHostThatStaysEmptyIsSkippedWhenEverythingElseIsOver() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        place(EngineHarness.WEB, "w1", 1, "host-9");
        done();
        passUntil(turn(1).at());
        assertEquals(Status.DONE, rollout().status());
        assertEquals(1, rollout().done());
        assertEquals(1, rollout().skipped());
        assertEquals(
                "no machine is on it any more",
                world.engine.view().units("os", 0).unit(1).why());
    }

    @Test
    void aRolloutThatMayNotEvacuateHaltsInTheEndAndSaysWhatToDo() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-2"),
                        machine(DB, "d", 0, "host-3")));
        start(oneByOne(hosts("host-1", "host-2", "host-3"), false, false));
        place(EngineHarness.WEB, "c", 0, "host-2");
        done();
        assertEquals(List.of(List.of("d")), works(), "the others go on");
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(
                rollout().why().startsWith("host-2 carries update domains 0 and 1 of group default/web"),
                rollout().why());
        assertTrue(rollout().why().contains("resume"), rollout().why());
        place(EngineHarness.WEB, "c", 0, "host-9");
        world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON));
        assertEquals(List.of(List.of("b")), works());
        assertEquals(Status.DONE, rollout().status());
        assertEquals(3, rollout().done());
    }

    @Test
    void withoutARetryItEndsWithoutThatHost() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-2")));
        start(oneByOne(hosts("host-1", "host-2"), false, false));
        place(EngineHarness.WEB, "c", 0, "host-2");
        done();
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(Status.DONE, rollout().status());
        assertEquals(1, rollout().failed());
    }

    @Test
    void aMachineThatMovesBetweenUnitsDoesNotWidenWhatGoesOnToAnotherFaultDomain() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MachineId id = new MachineId("default", "d" + i);
            machines.add(new MachineSpec(0, id, DB, 0, i / 2, "host-" + i, List.of(), "", false, Map.of()));
        }
        apply(1, machines);
        world.poll(DB, "d0");
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.FAULT_DOMAIN, 0)));
        assertEquals(2, rollout().open(), "the hosts in fault domain 0");
        place(new MachineSpec(0, new MachineId("default", "d2"), DB, 0, 1, "host-1", List.of(), "", false, Map.of()));
        world.pass(NOTICE);
        assertEquals(1, rollout().started(), "host-1 reaches into fault domain 1 and waits");
        assertEquals(List.of(List.of("d0"), List.of("d1", "d2")), works());
        assertEquals(Status.DONE, rollout().status());
    }

    private void haltsForLackOfAWindow() {
        for (int i = 0; i < 30 && rollout().status() == Status.RUNNING; i++) {
            world.pass(Duration.ofHours(1));
        }
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(
                rollout().why().contains("no maintenance window suits"),
                rollout().why());
    }

    @Test
    void aRolloutThatFindsNoCommonWindowAnyMoreHaltsAndSaysSo() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-1"), machine(DB, "d0", 0, "host-2")));
        policy(EngineHarness.WEB, 10);
        policy(DB, 20);
        start(oneByOne(hosts("host-1"), false, false));
        place(DB, "d0", 0, "host-1");
        haltsForLackOfAWindow();
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void nobodyIsEvacuatedForWorkThatHasNoWindow() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-1"),
                        machine(EngineHarness.WEB, "w1", 1, "host-1"),
                        machine(DB, "d0", 0, "host-2")));
        policy(EngineHarness.WEB, 10);
        policy(DB, 20);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withEvacuation(true));
        place(DB, "d0", 0, "host-1");
        haltsForLackOfAWindow();
        assertTrue(world.running.isEmpty());
    }

    @Test
    void aMachineThatNeverSuitsTheHoursOfLateUnitsHaltsTheRolloutToo() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-1"), machine(DB, "d0", 0, "host-2")));
        world.poll(EngineHarness.WEB, "w0");
        policy(DB, 20);
        start(oneByOne(hosts("host-1"), false, false)
                .between(
                        world.now().plus(Duration.ofHours(1)),
                        world.now().plus(Duration.ofHours(2)),
                        RolloutSpec.Late.NEXT_WINDOW,
                        ZoneOffset.UTC));
        world.pass(Duration.ofMinutes(50));
        assertEquals(1, rollout().open());
        place(DB, "d0", 0, "host-1");
        haltsForLackOfAWindow();
    }

    @Test
    void aPausedUnitWhoseGroupsLostTheirCommonWindowHaltsTheRolloutOnceItIsResumed() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-1"), machine(DB, "d0", 0, "host-1")));
        world.poll(EngineHarness.WEB, "w0");
        start(oneByOne(hosts("host-1"), false, false));
        policy(EngineHarness.WEB, 10);
        policy(DB, 20);
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        world.pass(Duration.ofHours(2));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        haltsForLackOfAWindow();
    }

    @Test
    void aFreezeDoesNotRepairAFailedMachine() {
        webOnHosts(1);
        EventId failure = world.schedule(Cause.FAILURE, "w0");
        world.running.clear();
        world.report(failure, DriverReport.FAILED);
        EventId freeze = world.schedule(Cause.FREEZE, "w0");
        world.running.clear();
        world.report(freeze, DriverReport.DONE);
        assertEquals(
                MachineCondition.State.FAILED,
                world.engine.view().condition(new MachineId("default", "w0")).state());
    }

    @Test
    void whatBlocksAUnitIsToldEvenIfItWouldStartSeveralEventsOfAGroupAtOnce() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-1"), machine(EngineHarness.WEB, "w1", 1, "host-1")));
        Instant at = world.now().plus(Duration.ofHours(1));
        start(oneByOne(hosts("host-1"), true, true).between(at, null, RolloutSpec.Late.REFUSE, ZoneOffset.UTC));
        assertEquals(
                List.of(),
                world.engine.rules().blockedUnits(world.engine.view(), new Command.Roll("os", List.of(0)), at));
    }

    @Test
    void aRehearsalAndRealWorkOnTheSameGroupBothEnd() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-1"), machine(EngineHarness.WEB, "w1", 1, "host-2")));
        world.poll(EngineHarness.WEB, "w0");
        RolloutSpec web = spec("os", RolloutTarget.Kind.GROUPS, "default/web");
        RolloutSpec rehearsal =
                spec("try", RolloutTarget.Kind.GROUPS, "default/web").withRehearsal(true);
        world.ask(world.engine.roll(rehearsal, EngineHarness.PERSON, null));
        start(web);
        for (int hour = 0; hour < 48; hour++) {
            world.poll(EngineHarness.WEB, "w0");
            world.poll(EngineHarness.WEB, "w1");
            for (EventId id : List.copyOf(world.running.keySet())) {
                world.running.remove(id);
                world.report(id, DriverReport.DONE);
            }
            world.pass(Duration.ofMinutes(20));
        }
        assertEquals(
                Status.DONE, world.engine.view().rollout("os").orElseThrow().status());
        assertEquals(
                Status.DONE, world.engine.view().rollout("try").orElseThrow().status());
    }

    @Test
    void aScheduledUnitWhoseGroupsLoseTheirCommonWindowHaltsTheRollout() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-1"), machine(DB, "d0", 0, "host-1")));
        world.poll(EngineHarness.WEB, "w0");
        start(oneByOne(hosts("host-1"), false, false));
        assertEquals(1, rollout().open());
        policy(EngineHarness.WEB, 10);
        policy(DB, 20);
        haltsForLackOfAWindow();
        assertTrue(world.running.isEmpty());
    }

    @Test
    void anOwnerCannotHoldAHostByPlacingMachinesThereAgainAndAgain() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-1"), machine(DB, "d0", 0, "host-2")));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(oneByOne(hosts("host-1"), false, false));
        world.pass(NOTICE.minusMinutes(1));
        ownerPlaces("d0", "host-1");
        world.pass(Duration.ofMinutes(2));
        RefusedException refusal = assertThrows(RefusedException.class, () -> ownerPlaces("d1", "host-1"));
        assertTrue(refusal.getMessage().contains("is due there"), refusal.getMessage());
        place(machine(DB, "d1", 0, "host-1"));
        assertEquals(0, world.running.size());
    }

    private void ownerPlaces(String machine, String host) {
        FleetSpec spec = new FleetSpec(List.of(), List.of(machine(DB, machine, 0, host)));
        Actor owner = Actor.owner("team", "127.0.0.1");
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, false), owner, null));
    }

    @Test
    void anUpdateDomainWithoutTheTagKeepsNoOtherWaiting() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            machines.add(tagged("m" + i, i, "a"));
            machines.add(tagged("other" + i, i, "b"));
        }
        apply(3, machines);
        world.poll(EngineHarness.WEB, "m0");
        start(RolloutSpec.of(
                "os",
                spec("os", RolloutTarget.Kind.TAG).cause(),
                new RolloutTarget(RolloutTarget.Kind.TAG, List.of("env=a"))));
        List<Instant> planned = List.of(turn(1).at(), turn(2).at());
        place(tagged("m0", 0, "b"));
        for (int i = 0; i < 100 && !rollout().isOver(); i++) {
            world.pass(Duration.ofMinutes(5));
            done();
            machines.forEach(m -> world.poll(EngineHarness.WEB, m.id().name()));
        }
        assertEquals(Status.DONE, rollout().status());
        assertEquals(planned, List.of(turn(1).at(), turn(2).at()));
        assertEquals(List.of(2, 1), List.of(rollout().done(), rollout().skipped()));
    }

    private static MachineSpec tagged(String name, int domain, String tag) {
        MachineId id = new MachineId("default", name);
        return new MachineSpec(0, id, EngineHarness.WEB, domain, 0, "", List.of(), "", false, Map.of("env", tag));
    }
}
