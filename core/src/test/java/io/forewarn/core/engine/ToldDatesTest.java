package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A date that owners or machines were told does not move earlier, whatever happens meanwhile. */
class ToldDatesTest extends RolloutFixture {
    private void pauseUntil(Instant then, Runnable meanwhile) {
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        meanwhile.run();
        passUntil(then);
        world.poll(EngineHarness.WEB, "a");
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
    }

    private void evacuatedHost() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        world.poll(DB, "d");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .withNotice(Duration.ofHours(10)));
    }

    @Test
    void workAfterAnEvacuationThatIsNotNeededAnyMoreStaysWhereItWasAfterAPause() {
        evacuatedHost();
        Instant told = turn(0).at();
        Instant evacuation = turn(0).next();
        pauseUntil(evacuation.plusSeconds(60), () -> place(EngineHarness.WEB, "b", 1, "host-9"));
        assertEquals(told, turn(0).at());
        passUntil(told.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void theSameIfTheDomainThatWasToStayHasLeft() {
        evacuatedHost();
        Instant told = turn(0).at();
        Instant evacuation = turn(0).next();
        pauseUntil(evacuation.plusSeconds(60), () -> place(EngineHarness.WEB, "a", 0, "host-9"));
        assertEquals(told, turn(0).at());
    }

    @Test
    void aDateThatWasShownALittleLaterThanTheTurnStaysForTheNextEvent() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        Instant begins = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withNotice(Duration.ofMinutes(30))
                .with(b -> b.at = begins));
        world.pass(Duration.ofMinutes(28));
        pauseUntil(begins.minus(Duration.ofMinutes(27)), () -> {});
        Instant shown = only(EngineHarness.WEB).noticePeriod().notBefore();
        assertEquals(begins.plus(Duration.ofMinutes(3)), shown);
        world.pass(Duration.ofMinutes(3));
        place(EngineHarness.WEB, "b", 0, "host-9");
        assertEquals(List.of("a"), only(EngineHarness.WEB).resources());
        assertEquals(shown, only(EngineHarness.WEB).noticePeriod().notBefore());
    }

    @Test
    void aMachineThatChangesItsDomainIsNotEvacuatedBeforeTheDateItWasShown() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 0, "host-1"),
                        machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .withNotice(Duration.ofHours(5)));
        Instant shown = only(EngineHarness.WEB).noticePeriod().notBefore();
        world.pass(Duration.ofHours(1));
        place(EngineHarness.WEB, "b", 1, "host-1");
        assertEquals(shown, turn(0).next());
        assertTrue(turn(0).at().isAfter(shown));
        passUntil(shown.minusSeconds(1));
        assertTrue(world.running.isEmpty());
    }

    @Test
    void unitsThatMissedTheirTurnsGetTheFirstFreeOnes() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        Duration recovery = Duration.ofHours(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").withRecovery(recovery).withNotice(Duration.ofHours(4)));
        Instant second = turn(1).at();
        world.pass(Duration.ofHours(3));
        pauseUntil(second.minus(Duration.ofMinutes(11)), () -> {});
        assertEquals(world.now().plus(NOTICE), turn(0).at());
        assertEquals(turn(0).at().plus(Duration.ofMinutes(5)).plus(recovery), turn(1).at());
        assertEquals(Status.RUNNING, rollout().status());
    }

    @Test
    void aGroupThatIsNotShownTheWorkIsNotTakenDownEarlierBecauseAnotherApproves() {
        apply(1, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").withNotice(Duration.ofHours(48)));
        Event shown = only(EngineHarness.WEB);
        approve(EngineHarness.WEB);
        passUntil(shown.noticePeriod().notBefore().minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void aUnitThatCouldNotBeWorkedOnKeepsItsDateWhenItIsRetried() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        Instant begins = world.now().plus(Duration.ofHours(6));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1").with(b -> b.at = begins));
        place(EngineHarness.WEB, "b", 1, "host-1");
        assertEquals(Status.HALTED, rollout().status());
        place(EngineHarness.WEB, "b", 1, "host-2");
        world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON));
        assertEquals(begins, turn(0).at());
        passUntil(begins.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void anEvacuationStaysWhereItIsWhenOneAfterItIsNotNeededAnyMore() {
        Instant begins = world.now().plus(Duration.ofHours(2));
        startEvacuationOfThreeDomains(begins);
        assertEquals(begins, turn(0).next());
        place(EngineHarness.WEB, "b", 1, "host-9");
        assertEquals(List.of(begins), turn(0).evacuations());
        assertEquals(0, moved());
    }

    @Test
    void ownersAreNotToldOfADateThatDidNotMove() {
        evacuatedHost();
        place(EngineHarness.WEB, "b", 1, "host-9");
        assertEquals(List.of(), turn(0).evacuations());
        assertEquals(0, moved());
    }

    @Test
    void aDomainThatWasToldThatItStaysIsNotEvacuatedEarlierIfAnotherComesAfterAll() {
        evacuatedHost();
        Instant told = turn(0).at();
        place(EngineHarness.WEB, "a", 0, "host-9");
        assertEquals(List.of(), turn(0).evacuations());
        place(EngineHarness.WEB, "a", 0, "host-1");
        assertEquals(told, turn(0).next());
    }

    @Test
    void theSameIfAnotherGroupWasEvacuatedMeanwhile() {
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 2, 2),
                new GroupSpec(0, DB, GroupKind.AVAILABILITY_SET, 2, 2));
        List<MachineSpec> machines = List.of(
                machine(EngineHarness.WEB, "a", 0, "host-1"),
                machine(EngineHarness.WEB, "b", 1, "host-1"),
                machine(DB, "c", 0, "host-1"),
                machine(DB, "d", 1, "host-1"));
        FleetSpec spec = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
        world.poll(DB, "d");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .withNotice(Duration.ofHours(3))
                .withSelfServiceUntil(world.now().plus(Duration.ofHours(3))));
        Instant told = turn(0).at();
        place(EngineHarness.WEB, "a", 0, "host-9");
        passUntil(turn(0).next().minus(Duration.ofHours(1)));
        approve(DB);
        place(DB, "d", 1, "host-9");
        done();
        world.pass(Duration.ofMinutes(10));
        assertEquals(1, moved(), "b is worked on with the host now");
        assertEquals(told, turn(0).at());
        place(EngineHarness.WEB, "a", 0, "host-1");
        assertEquals(told, turn(0).next(), "b is not evacuated before that");
    }

    private long moved() {
        return world.history.stream()
                .filter(entry -> entry.what().equals(HistoryEntry.What.ROLLOUT_MOVED.name()))
                .count();
    }

    @Test
    void nothingStartsDuringSelfServiceBecauseAMachineChangedItsUpdateDomain() {
        apply(3, List.of(machine(EngineHarness.WEB, "a", 0, "host-1")));
        Instant until = world.now().plus(Duration.ofHours(3));
        start(spec("os", RolloutTarget.Kind.GROUPS, EngineHarness.WEB.toString())
                .withSelfServiceUntil(until));
        world.pass(Duration.ofMinutes(10));
        place(EngineHarness.WEB, "a", 1, "host-1");
        passUntil(until.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofHours(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void theSameIfAHostMustBeEvacuatedByNow() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-9")));
        Instant until = world.now().plus(Duration.ofHours(3));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .withSelfServiceUntil(until));
        world.pass(Duration.ofMinutes(10));
        place(EngineHarness.WEB, "b", 1, "host-1");
        passUntil(until.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofHours(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void aFailureOfAMachineThatIsToBeMovedLeavesTheOtherHostsDate() {
        apply(
                3,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-0"),
                        machine(EngineHarness.WEB, "b", 1, "host-0"),
                        machine(EngineHarness.WEB, "c", 2, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        world.durations.put(Cause.FAILURE, Duration.ofSeconds(2));
        world.durations.put(Cause.HOST_REDEPLOY, Duration.ofMinutes(3));
        world.durations.put(Cause.HOST_REBOOT, Duration.ofSeconds(90));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").withEvacuation(true).withRecovery(Duration.ofMinutes(5)));
        Instant told = turn(1).at();
        passUntil(told.minus(Duration.ofMinutes(15)).minusSeconds(1));
        world.schedule(Cause.FAILURE, "b");
        world.pass(Duration.ofSeconds(1));
        assertEquals(told, turn(1).at());
    }

    @Test
    void aMachineThatCameAndWasToldTheDateIsNotMovedBeforeItBecauseAnotherChangedItsDomain() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 1, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-9"),
                        machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .withNotice(Duration.ofHours(10)));
        world.pass(Duration.ofHours(1));
        place(EngineHarness.WEB, "b", 1, "host-1");
        Instant told = turn(0).at();
        place(EngineHarness.WEB, "a", 0, "host-1");
        assertEquals(1, turn(0).evacuations().size());
        assertEquals(told, turn(0).next());
    }

    private List<HistoryEntry> planned() {
        return world.history.stream()
                .filter(e -> e.what().equals(HistoryEntry.What.ROLLOUT_PLANNED.name()))
                .toList();
    }

    @Test
    void ownersAreToldTheEarlierDateOfAMachineThatChangesItsUpdateDomain() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant begins = world.now().plus(Duration.ofHours(6));
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web").with(b -> b.at = begins));
        assertTrue(turn(1).at().isAfter(begins));
        world.pass(Duration.ofHours(1));
        place(EngineHarness.WEB, "w1", 0, "host-1");
        assertEquals(2, planned().size());
        HistoryEntry told = planned().get(1);
        assertEquals(List.of("w1"), told.machines());
        assertEquals(begins, told.notBefore());
        assertEquals(begins + " w1", told.detail());
    }

    @Test
    void ownersAreToldThatAPlanAndItsChangesAreOfARehearsal() {
        twoGroupsOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant begins = world.now().plus(Duration.ofHours(6));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").withRehearsal(true).with(b -> b.at = begins));
        assertTrue(
                planned().get(0).detail().startsWith("rehearsal; " + begins + " "),
                planned().toString());
        assertTrue(
                world.history.stream().anyMatch(e -> e.detail().equals("os: rehearsal of 2 units")),
                world.history.toString());
        passUntil(begins.minus(Duration.ofMinutes(10)));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        passUntil(begins.plus(Duration.ofMinutes(30)));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        List<HistoryEntry> moved = world.history.stream()
                .filter(e -> e.what().equals(HistoryEntry.What.ROLLOUT_MOVED.name()))
                .toList();
        assertEquals(
                List.of(DB, GroupId.all("default")),
                moved.stream().map(HistoryEntry::group).toList());
        assertTrue(moved.stream().allMatch(HistoryEntry::saysRehearsal), moved.toString());
        assertEquals("rehearsal; the rollout was paused or halted", moved.get(0).detail());
    }

    @Test
    void ownersOfAMachineThatComesToAHostAreToldItsDate() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Instant begins = world.now().plus(Duration.ofHours(6));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0").with(b -> b.at = begins));
        world.pass(Duration.ofHours(1));
        place(DB, "d0", 0, "host-0");
        assertEquals(2, planned().size());
        assertEquals(begins + " d0", planned().get(1).detail());
        place(DB, "d0", 0, "host-9");
        assertEquals(2, planned().size());
    }

    @Test
    void ownersOfAMachineThatMovesTheUnitItComesToAreToldItsDateAndNoOther() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(DB, "d0", 0, "host-1")));
        Instant begins = world.now().plus(Duration.ofHours(6));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").with(b -> b.at = begins));
        assertEquals(begins, turn(1).at());
        place(EngineHarness.WEB, "w1", 1, "host-1");
        Instant moved = turn(1).at();
        assertTrue(moved.isAfter(begins));
        assertEquals(List.of(List.of("d0")), movedMachines());
        assertEquals(2, planned().size());
        assertEquals(List.of("w1"), planned().get(1).machines());
        assertEquals(moved, planned().get(1).notBefore());
    }

    @Test
    void theSameIfTheUnitIsShownAtOnceForTheirLongerNotice() {
        apply(2, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(DB, "d0", 0, "host-1")));
        world.poll(EngineHarness.WEB, "w0");
        Duration notice = Duration.ofHours(8);
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, notice, null, null, null, null, null, null, null, null, null), EngineHarness.PERSON));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .with(b -> b.at = world.now().plus(Duration.ofHours(6))));
        place(EngineHarness.WEB, "w1", 1, "host-1");
        Instant shown = only(EngineHarness.WEB).noticePeriod().notBefore();
        assertEquals(world.now().plus(notice), shown);
        assertEquals(List.of(List.of("d0")), movedMachines());
        assertEquals(List.of("w1"), planned().get(1).machines());
        assertEquals(shown, planned().get(1).notBefore());
    }

    private List<List<String>> movedMachines() {
        return world.history.stream()
                .filter(entry -> entry.what().equals(HistoryEntry.What.ROLLOUT_MOVED.name()))
                .map(HistoryEntry::machines)
                .toList();
    }

    @Test
    void aUnitThatMovesForTheNoticeOfItsMachinesHasTheDateThatOwnersAreTold() {
        webOnHosts(1);
        Instant begins = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0")
                .withNotice(Duration.ofMinutes(20))
                .with(b -> b.at = begins));
        passUntil(begins.minus(Duration.ofMinutes(9)));
        world.poll(EngineHarness.WEB, "w0");
        Instant shown = only(EngineHarness.WEB).noticePeriod().notBefore();
        assertEquals(begins.plus(Duration.ofMinutes(6)), shown);
        assertEquals(shown, turn(0).at());
        HistoryEntry moved = world.history.stream()
                .filter(e -> e.what().equals(HistoryEntry.What.ROLLOUT_MOVED.name()))
                .reduce((before, last) -> last)
                .orElseThrow();
        assertEquals(shown, moved.notBefore());
    }

    @Test
    void allGroupsOfAUnitThatIsShownALittleLateHaveOneDate() {
        twoGroupsOnHosts(1);
        Instant begins = world.now().plus(Duration.ofHours(1));
        world.poll(DB, "d0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0")
                .withNotice(Duration.ofMinutes(30))
                .with(b -> b.at = begins));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        passUntil(begins.minus(Duration.ofMinutes(28)));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        Instant shown = only(DB).noticePeriod().notBefore();
        assertEquals(begins.plus(Duration.ofMinutes(2)), shown);
        assertEquals(shown, only(EngineHarness.WEB).noticePeriod().notBefore());
    }
}
