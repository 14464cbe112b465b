package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.MachineCondition;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Hosts that carry machines of two update domains of a group, which must not be down together. */
class SharedHostDatesTest extends RolloutFixture {
    private static final GroupId BANK = new GroupId("default", "bank");

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + ":00Z");
    }

    /** A host with web's a and b in two update domains. It is evacuated at 12:30, and worked on at 13:05. */
    private void evacuatedAtHalfPastTwelve(Instant until) {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), machine(EngineHarness.WEB, "b", 1, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .with(b -> {
                    b.at = at("12:30");
                    b.until = until;
                }));
        assertEquals(List.of(at("12:30")), turn(0).evacuations());
        assertEquals(at("13:05"), turn(0).at());
        passUntil(at("12:05"));
    }

    private void blackout(String until) {
        Blackout blackout = new Blackout(
                LocalDateTime.parse("2026-03-01T12:20"), LocalDateTime.parse("2026-03-01T" + until), ZoneOffset.UTC);
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, List.of(blackout), null, null, null, null),
                EngineHarness.PERSON));
    }

    /** What the owners of a machine are told, and why. */
    private List<String> told(HistoryEntry.What what, String machine) {
        return world.history.stream()
                .filter(entry -> entry.what().equals(what.name()))
                .filter(entry -> entry.machines().contains(machine))
                .map(HistoryEntry::detail)
                .toList();
    }

    /** On one host are two update domains of web and three of bank. */
    private void twoGroupsAreEvacuatedFromOneHost() {
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 3, 2),
                new GroupSpec(0, BANK, GroupKind.AVAILABILITY_SET, 3, 2));
        List<MachineSpec> machines = List.of(
                machine(EngineHarness.WEB, "w0", 0, "host-1"),
                machine(EngineHarness.WEB, "w1", 1, "host-1"),
                machine(BANK, "b0", 0, "host-1"),
                machine(BANK, "b1", 1, "host-1"),
                machine(BANK, "b2", 2, "host-1"));
        FleetSpec fleet = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(BANK, "b0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .with(b -> b.at = at("15:00")));
    }

    @Test
    void aDomainThatLeavesAnEvacuatedHostLeavesTheDatesOfOtherGroups() {
        twoGroupsAreEvacuatedFromOneHost();
        assertEquals(
                Map.of("default/web#1", at("15:00"), "default/bank#2", at("15:00"), "default/bank#1", at("15:35")),
                turn(0).leaving());
        passUntil(at("12:01"));
        place(BANK, "b2", 2, "host-9");
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of(at("15:00"), at("15:35")), turn(0).evacuations());
        assertEquals(at("15:00"), turn(0).leaving().get("default/web#1"));
        assertEquals(at("15:35"), turn(0).leaving().get("default/bank#1"));
        assertEquals(at("16:10"), turn(0).at());
        assertEquals(List.of(), told(HistoryEntry.What.ROLLOUT_MOVED, "w1"));
    }

    @Test
    void theOthersAreMovedAwayAtTheDatesTheyWereTold() {
        twoGroupsAreEvacuatedFromOneHost();
        place(BANK, "b2", 2, "host-9");
        passUntil(at("15:00"));
        assertEquals(List.of("w1"), working());
        done();
        place(EngineHarness.WEB, "w1", 1, "host-8");
        passUntil(at("15:34"));
        assertEquals(List.of(), working());
        passUntil(at("15:35"));
        assertEquals(List.of("b1"), working());
        done();
        place(BANK, "b1", 1, "host-7");
        passUntil(at("16:10"));
        assertEquals(List.of("b0", "w0"), working());
    }

    private List<String> working() {
        return world.running.values().stream()
                .flatMap(task -> task.machines().stream())
                .map(machine -> machine.name())
                .sorted()
                .toList();
    }

    @Test
    void aRolloutHaltsIfAnEvacuationWouldFitButNotTheWorkAfterIt() {
        evacuatedAtHalfPastTwelve(at("13:20"));
        blackout("13:05");
        world.pass(Duration.ofMinutes(1));
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(
                "host-1 cannot start by 2026-03-01T13:20:00Z, but at 2026-03-01T13:40:00Z at the earliest"
                        + " (a blackout until 2026-03-01T13:05:00Z, by the policy of group default/web)."
                        + " Resume with another latest start, or let late units start later",
                rollout().why());
        assertNull(turn(0));
        passUntil(at("13:10"));
        assertTrue(world.running.isEmpty(), "nothing is evacuated in vain");
    }

    @Test
    void itGoesOnWithALatestStartThatSuitsBoth() {
        evacuatedAtHalfPastTwelve(at("13:20"));
        blackout("13:05");
        world.pass(Duration.ofMinutes(1));
        world.ask(new Command.ResumeRollout("os", false, null, at("13:40"), null, EngineHarness.PERSON));
        assertEquals(Status.RUNNING, rollout().status());
        assertEquals(List.of(at("13:05")), turn(0).evacuations());
        assertEquals(at("13:40"), turn(0).at());
    }

    @Test
    void theOwnerOfAnEvacuatedMachineIsToldTheReasonOfItsOwnDate() {
        evacuatedAtHalfPastTwelve(null);
        blackout("12:45");
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of(at("12:45")), turn(0).evacuations());
        assertEquals(
                List.of("a blackout until 2026-03-01T12:45:00Z, by the policy of group default/web"),
                told(HistoryEntry.What.ROLLOUT_MOVED, "b"));
        assertEquals(List.of("its host is evacuated first"), told(HistoryEntry.What.ROLLOUT_MOVED, "a"));
    }

    /** Web's a and b are rehearsed together on their host, and c of one of their domains approves half an hour before its turn. */
    private void approvedAfterARehearsal(int domainOfTheNext) {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(EngineHarness.WEB, "c", domainOfTheNext, "host-2")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1", "host-2")
                .withEvacuation(true)
                .withRehearsal(true)
                .withNotice(Duration.ofHours(1)));
        passUntil(at("13:00"));
        assertEquals(List.of("a", "b"), working());
        done();
        approve(EngineHarness.WEB);
    }

    @Test
    void afterARehearsalOfTwoDomainsTheRecoveryHoldsForBoth() {
        for (int domain : new int[] {0, 1}) {
            SharedHostDatesTest each = new SharedHostDatesTest();
            each.approvedAfterARehearsal(domain);
            each.passUntil(at("13:29"));
            assertTrue(each.world.running.isEmpty(), "domain " + domain);
            each.passUntil(at("13:30"));
            assertEquals(List.of("c"), each.working());
        }
    }

    @Test
    void noReasonNamesAnUpdateDomainThatDoesNotExist() {
        approvedAfterARehearsal(1);
        String holds = world.engine
                .rules()
                .blockers(world.engine.view(), EngineHarness.WEB, only(EngineHarness.WEB), world.now())
                .toString();
        assertTrue(holds.contains("recover"), holds);
        assertFalse(holds.contains("domain -1"), holds);
        RolloutPlan plan = world.engine
                .rules()
                .plan(
                        world.engine.view(),
                        spec("again", RolloutTarget.Kind.HOSTS, "host-2").withRehearsal(true),
                        world.now());
        String why = plan.steps().get(0).why();
        assertEquals(at("13:30"), plan.steps().get(0).starts(), why);
        assertFalse(why.contains("domain -1"), why);
    }

    @Test
    void aMachineThatWasPreemptedMakesNoSecondDomain() {
        MachineSpec spot = new MachineSpec(
                0, EngineHarness.machine("s"), EngineHarness.WEB, 1, 0, "host-1", List.of(), "", true, Map.of());
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-1"), spot));
        world.poll(EngineHarness.WEB, "a");
        world.schedule(Cause.PREEMPT, "s");
        world.pass(Duration.ofMinutes(1));
        done();
        assertEquals(
                MachineCondition.State.TAKEN,
                world.engine.view().find(EngineHarness.machine("s")).condition().state());
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        assertEquals(List.of("a"), only(EngineHarness.WEB).resources());
    }
}
