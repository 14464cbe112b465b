package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long a group rests between two update domains, and whom it waits for. */
class RecoveryTest extends RolloutFixture {
    private static final Duration LONGEST = ServiceTerms.AZURE.owners().longestHold();

    private static RolloutSpec recovering(String name, Duration recovery, String... hosts) {
        RolloutSpec plain = spec(name, RolloutTarget.Kind.HOSTS, hosts);
        return plain.withRecovery(recovery);
    }

    /** Domain 0 comes back at noon, domain 1 at five past, because its rollout gave no time to recover. */
    private Instant twoDomainsInARow() {
        apply(
                3,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-0"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(EngineHarness.WEB, "c", 1, "host-2")));
        start(recovering("first", Duration.ZERO, "host-0"));
        done();
        Instant back = world.now();
        start(recovering("second", Duration.ZERO, "host-1"));
        world.pass(Duration.ofMinutes(5));
        done();
        return back;
    }

    @Test
    void recoveryHoldsAgainstEveryDomainNotOnlyTheLast() {
        Instant back = twoDomainsInARow();
        start(recovering("third", RECOVERY, "host-2"));
        assertTrue(world.running.isEmpty(), "domain 0 has had five minutes of thirty");
        world.pass(Duration.between(world.now(), back.plus(RECOVERY)).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void aSingleFreezeKeepsToTheRecoveryOfEveryDomainToo() {
        Instant back = twoDomainsInARow();
        world.schedule(Cause.FREEZE, "c");
        world.pass(Duration.between(world.now(), back.plus(RECOVERY)).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void aPlanKnowsTheRecoveryThatIsStillOwed() {
        Instant back = twoDomainsInARow();
        RolloutSpec third = recovering("third", Duration.ofHours(2), "host-2");
        RolloutPlan plan = world.engine.rules().plan(world.engine.view(), third, world.now());
        assertEquals(back.plus(Duration.ofHours(2)), plan.steps().get(0).starts());
        start(third);
        world.pass(Duration.between(world.now(), plan.steps().get(0).starts()).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size(), "it comes true");
    }

    @Test
    void aRemovedMachineIsNotWaitedFor() {
        MachineSpec spot = new MachineSpec(
                0, EngineHarness.machine("w0"), EngineHarness.WEB, 0, 0, "host-0", List.of(), "", true, Map.of());
        apply(2, List.of(spot, machine(EngineHarness.WEB, "w1", 1, "host-1")));
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        EventId taken = world.schedule(Cause.PREEMPT, "w0");
        world.pass(Duration.ofMinutes(1));
        world.running.clear();
        world.report(taken, DriverReport.DONE);
        world.pass(Duration.ofHours(1));
        assertEquals(
                List.of("w1"), world.running.values().iterator().next().event().resources());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMachineThatMovedToAnotherGroupIsNotWaitedFor() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        GroupId elsewhere = new GroupId("default", "elsewhere");
        FleetSpec spec = new FleetSpec(
                List.of(new GroupSpec(0, elsewhere, GroupKind.AVAILABILITY_SET, 5, 2)),
                List.of(machine(elsewhere, "w0", 4, "host-9")));
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, false), EngineHarness.PERSON, null));
        world.pass(Duration.ofHours(1));
        assertFalse(world.running.isEmpty(), "w0 is not web's any more");
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMachineThatPolledIsAwaitedEvenIfTheServiceCrashesDuringItsWork() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        EventId first =
                world.engine.view().state(EngineHarness.WEB).events().get(0).id();
        world.ask(new Command.Approve(null, List.of(first), EngineHarness.PERSON));
        assertEquals(1, world.running.size());
        world.open();
        world.pass(Duration.ofMinutes(1));
        done();
        world.pass(Duration.ofHours(2));
        assertTrue(world.running.isEmpty(), "w0 has not polled again");
        world.poll(EngineHarness.WEB, "w0");
        world.pass(Duration.ofHours(2));
        assertEquals(1, world.running.size());
    }

    @Test
    void pollsAreStoredAtTheStartOnlyIfTheStoreDoesNotKnowThatTheMachinePolls() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(Duration.between(world.now(), turn(0).at()).minusSeconds(1));
        Instant saved = world.engine.view().storedPoll(EngineHarness.machine("w0"));
        world.poll(EngineHarness.WEB, "w0");
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
        assertEquals(saved, world.engine.view().storedPoll(EngineHarness.machine("w0")));
    }

    @Test
    void aMachineReplacedUnderTheSameNameIsNotWaitedFor() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        removeMachine("w0");
        place(EngineHarness.WEB, "w0", 0, "host-9");
        world.pass(Duration.ofHours(1));
        assertFalse(world.running.isEmpty(), "the new w0 was never down");
    }

    @Test
    void aMachineThatSaysItIsBackLeavesTheRecoveryOfEarlierDomainsAlone() {
        Instant back = twoDomainsInARow();
        world.ask(new Command.Recovered(EngineHarness.WEB, "b", EngineHarness.PERSON));
        start(recovering("third", RECOVERY, "host-2"));
        world.pass(Duration.between(world.now(), back.plus(RECOVERY)).minusSeconds(1));
        assertTrue(world.running.isEmpty());
    }

    @Test
    void aMachineThatNeverPollsAgainIsAwaitedAsLongAsOwnersMayHoldWork() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        Instant ended = world.now();
        Duration most = ServiceTerms.AZURE.owners().longestHold();
        passUntil(ended.plus(most).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        passUntil(ended.plus(most).plus(Duration.ofHours(1)));
        assertEquals(1, world.running.size());
    }

    /** Domain 0 comes back now, and its machine never polls again. */
    private Instant firstOfThreeDomainsFallsSilent() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        return world.now();
    }

    /** Without looking at the group every half minute until shortly before. */
    private void waitUntil(Instant at) {
        world.skip(Duration.between(world.now(), at).minusMinutes(5));
        passUntil(at);
    }

    @Test
    void aMachineThatNeverPollsAgainIsAwaitedOnceNotForEachFurtherDomain() {
        Instant ended = firstOfThreeDomainsFallsSilent();
        waitUntil(ended.plus(LONGEST).plus(Duration.ofHours(1)));
        assertEquals(1, world.running.size());
        done();
        world.pass(Duration.ofHours(1));
        assertEquals(1, world.running.size(), "domain 2 need not wait for w0 again");
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void whenTheWaitIsOverTheUnitWithTheEarlierDateStartsFirstWhicheverGroupIsLookedAtFirst() {
        apply(
                3,
                List.of(
                        machine(EngineHarness.WEB, "w0", 0, "host-0"),
                        machine(EngineHarness.WEB, "w1", 1, "host-1"),
                        machine(EngineHarness.WEB, "w2", 2, "host-2"),
                        machine(DB, "d2", 0, "host-2")));
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        Instant over = world.now().plus(LONGEST);
        passUntil(world.now().plus(Duration.ofHours(2)));
        waitUntil(over.minus(Duration.ofHours(1)).plusSeconds(10));
        world.poll(EngineHarness.WEB, "w2");
        passUntil(over.plusSeconds(5));
        assertEquals(List.of(), working());
        world.ask(new Command.Due(DB, false));
        passUntil(over.plusSeconds(10));
        assertEquals(List.of("w1"), working());
        done();
        world.pass(Duration.ofHours(1));
        assertEquals(1, world.running.size());
        done();
        assertEquals(Status.DONE, rollout().status());
    }

    private List<String> working() {
        return world.running.values().stream()
                .map(task -> task.event().resources().get(0))
                .sorted()
                .toList();
    }

    @Test
    void singleFreezesDoNotMakeTheWaitForAMachineLonger() {
        Instant ended = firstOfThreeDomainsFallsSilent();
        waitUntil(ended.plus(Duration.ofDays(29)));
        world.schedule(Cause.FREEZE, "w1");
        world.pass(Duration.ofHours(1));
        done();
        waitUntil(ended.plus(LONGEST).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        waitUntil(ended.plus(LONGEST).plus(Duration.ofHours(1)));
        assertEquals(1, world.running.size());
    }

    @Test
    void aNewRolloutDoesNotWaitOnceMoreForAMachineThatNeverPolledAgain() {
        Instant ended = firstOfThreeDomainsFallsSilent();
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        waitUntil(ended.plus(Duration.ofDays(10)));
        start(spec("next", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        assertEquals(1, world.running.size(), "domain 0 again");
        done();
        waitUntil(ended.plus(LONGEST).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        for (int domain = 1; domain <= 2; domain++) {
            world.pass(Duration.ofHours(1));
            assertEquals(1, world.running.size(), "domain " + domain);
            done();
        }
    }

    @Test
    void aMachineThatPolledMeanwhileIsAwaitedAfterItsNextWork() {
        Instant ended = firstOfThreeDomainsFallsSilent();
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        waitUntil(ended.plus(Duration.ofDays(10)));
        world.poll(EngineHarness.WEB, "w0");
        start(spec("next", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        Instant again = world.now();
        waitUntil(again.plus(LONGEST).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        waitUntil(again.plus(LONGEST).plus(Duration.ofHours(1)));
        assertEquals(1, world.running.size());
    }

    @Test
    void aMachineThatWasRemovedIsNotAwaitedUnderItsNameLater() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web"));
        passUntil(turn(0).at());
        done();
        assertTrue(plan().contains("default/w0 has not polled again"), plan());
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        removeMachine("w0");
        world.pass(Duration.ofDays(30));
        FleetSpec again = new FleetSpec(List.of(), List.of(machine(EngineHarness.WEB, "w0", 0, "host-0")));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, again, false), EngineHarness.PERSON, null));
        world.ask(new Command.RemoveRollout("os", EngineHarness.PERSON));
        assertEquals("[]", plan());
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web"));
        passUntil(turn(0).at());
        done();
        passUntil(turn(1).at());
        assertEquals(1, world.running.size());
    }

    private String plan() {
        return world.engine
                .rules()
                .plan(world.engine.view(), spec("next", RolloutTarget.Kind.GROUPS, "default/web"), world.now())
                .blocked()
                .toString();
    }

    @Test
    void whatAnOwnerAskedForAfterAFailureComesBeforeTheUnit() {
        webOnHosts(2);
        world.schedule(Cause.FAILURE, "w0");
        world.schedule(Cause.REDEPLOY, "w0");
        RolloutSpec spec = spec("os", RolloutTarget.Kind.GROUPS, "default/web");
        start(spec);
        Instant failed = world.now().plus(Duration.ofMinutes(5));
        assertEquals(failed.plus(Duration.ofMinutes(5)), turn(0).at(), "the repair, then the redeploy");
    }
}
