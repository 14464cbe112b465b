package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.StartBlocker;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What may go wrong while host work is under way: machines that move, strangers on the same host, values out of range. */
class RolloutFaultsTest extends RolloutFixture {
    private static final GroupId RIVAL = new GroupId("rival", "secret");

    private void add(GroupId group, String name, int domain, String host) {
        FleetSpec spec = new FleetSpec(List.of(), List.of(machine(group, name, domain, host)));
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, false), EngineHarness.PERSON, null));
    }

    private static RolloutSpec evacuating(ConcurrencyLimit atOnce) {
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        return all.withRecovery(Duration.ofMinutes(1)).withAtOnce(atOnce).withEvacuation(true);
    }

    private List<String> machinesOfTheWork() {
        assertEquals(1, world.running.size());
        return world.running.values().iterator().next().machines().stream()
                .map(m -> m.name())
                .toList();
    }

    /** Two tenants on one host, both asking. */
    private void strangersOnAHost() {
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 1, 1),
                new GroupSpec(0, RIVAL, GroupKind.AVAILABILITY_SET, 1, 1));
        FleetSpec spec = new FleetSpec(
                groups, List.of(machine(EngineHarness.WEB, "w0", 0, "host-0"), machine(RIVAL, "hidden", 0, "host-0")));
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, false), EngineHarness.PERSON, null));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(RIVAL, "hidden");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
    }

    @Test
    void aMachineThatMovedToAHostIsScheduledThereAlthoughItWasRedeployedBefore() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-0"),
                        machine(EngineHarness.WEB, "b", 1, "host-0"),
                        machine(EngineHarness.WEB, "c", 0, "host-1")));
        start(evacuating(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1)));
        assertEquals(List.of("b"), machinesOfTheWork());
        done();
        add(EngineHarness.WEB, "b", 1, "host-1");
        List<List<String>> works = new ArrayList<>();
        for (int i = 0; i < 10 && !rollout().isOver(); i++) {
            world.pass(Duration.ofHours(1));
            if (!world.running.isEmpty()) {
                works.add(machinesOfTheWork());
                done();
            }
        }
        assertEquals(Set.of(List.of("a"), List.of("b"), List.of("c")), Set.copyOf(works));
        assertTrue(works.indexOf(List.of("b")) < works.indexOf(List.of("c")), "moved off host-1 before it is rebooted");
    }

    @Test
    void aMachineAddedToAScheduledHostGetsNoticeToo() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-0")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId first = only(EngineHarness.WEB).id();
        world.pass(Duration.ofMinutes(5));
        add(DB, "d", 0, "host-0");
        world.poll(DB, "d");
        assertEquals(List.of("d"), only(DB).resources());
        world.pass(NOTICE.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        assertEquals(first, only(EngineHarness.WEB).id(), "what was announced stays");
        world.pass(Duration.ofSeconds(1));
        assertEquals(List.of("a", "d"), machinesOfTheWork().stream().sorted().toList());
    }

    @Test
    void aMachineCannotComeToAHostThatIsBeingWorkedOn() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-0")));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        assertEquals(1, world.running.size());
        RefusedException refusal = assertThrows(RefusedException.class, () -> add(DB, "d", 0, "host-0"));
        assertTrue(refusal.getMessage().contains("rollout os"), refusal.getMessage());
        done();
        add(DB, "d", 0, "host-0");
    }

    @Test
    void withoutEvacuateNoHostIsEvacuated() {
        apply(2, List.of(machine(EngineHarness.WEB, "a", 0, "host-0"), machine(EngineHarness.WEB, "b", 1, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(List.of("a"), only(EngineHarness.WEB).resources());
        world.pass(NOTICE);
        done();
        add(DB, "d", 0, "host-1");
        add(EngineHarness.WEB, "c", 0, "host-1");
        world.poll(EngineHarness.WEB, "a");
        world.pass(Duration.ofHours(3));
        assertTrue(open(EngineHarness.WEB).isEmpty());
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(rollout().why().startsWith("host-1 carries update domains 0 and 1"), rollout()::why);
    }

    @Test
    void everyMachineOfADomainMustAskAgainNotOnlyTheLast() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "p", 0, "host-0"),
                        machine(EngineHarness.WEB, "q", 0, "host-1"),
                        machine(EngineHarness.WEB, "r", 1, "host-2")));
        world.poll(EngineHarness.WEB, "p");
        world.poll(EngineHarness.WEB, "q");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.pass(NOTICE);
        done();
        world.pass(Duration.ofSeconds(1));
        world.poll(EngineHarness.WEB, "q");
        world.pass(Duration.ofHours(2));
        assertEquals(List.of("r"), only(EngineHarness.WEB).resources());
        assertTrue(world.running.isEmpty(), "p has not asked again");
        world.poll(EngineHarness.WEB, "p");
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of("r"), machinesOfTheWork());
    }

    @Test
    void aHeldEventGoesOnWhenTheMachineThatHeldItLeavesTheFleet() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId failure = world.schedule(Cause.FAILURE, "w1");
        world.report(failure, DriverReport.FAILED);
        world.running.clear();
        world.pass(Duration.ofHours(1));
        assertTrue(world.running.isEmpty(), "w1 is down");
        removeMachine("w1");
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void strangersOnTheSameHostDoNotLearnOfEachOther() {
        strangersOnAHost();
        String held = world
                .engine
                .rules()
                .blockers(world.engine.view(), EngineHarness.WEB, only(EngineHarness.WEB), world.now())
                .stream()
                .map(blocker -> blocker.toldTo(group -> group.tenant().equals("default")))
                .toList()
                .toString();
        assertTrue(held.contains("another tenant"), held);
        assertFalse(held.contains("secret") || held.contains("rival"), held);
        world.ask(new Command.Cancel(only(RIVAL).id(), Actor.person("mallory", "10.9.9.9")));
        assertFalse(seenBy("default").contains("mallory"), seenBy("default"));
    }

    @Test
    void theApproverIsNotShownToOtherTenants() {
        strangersOnAHost();
        world.ask(new Command.Approve(RIVAL, List.of(only(RIVAL).id()), Actor.machine("rival/hidden", "10.9.9.9")));
        approve(EngineHarness.WEB);
        assertEquals(1, world.running.size());
        assertFalse(seenBy("default").contains("hidden"), seenBy("default"));
    }

    private String seenBy(String tenant) {
        return world.history.stream()
                .filter(e -> e.group() != null && e.group().tenant().equals(tenant))
                .toList()
                .toString();
    }

    @Test
    void aGroupThatIsNeverShownItsWorkNeedNotHaveSeenIt() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Scope scope = new Scope("default", "db", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, null, null, true, null), EngineHarness.PERSON));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.pass(NOTICE);
        assertEquals(1, world.running.size());
    }

    @Test
    void aCancelledUnitIsSkippedAndNotDone() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.ask(new Command.Cancel(only(EngineHarness.WEB).id(), EngineHarness.PERSON));
        assertEquals(Status.DONE, rollout().status());
        assertEquals(0, rollout().done());
        assertEquals(1, rollout().skipped());
    }

    @Test
    void aFailureHaltsAlsoWhatIsPaused() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        EventId id = world.running.keySet().iterator().next();
        world.report(id, DriverReport.FAILED);
        assertEquals(Status.HALTED, rollout().status());
        assertTrue(rollout().why().contains("host-0"), rollout().why());
    }

    @Test
    void outOfRangeValuesAreRefusedAndNothingChanges() {
        webOnHosts(1);
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        Duration ages = Duration.ofDays(120_000);
        for (RolloutSpec odd : List.of(
                odd(all, ages, null, List.of(), null, null),
                odd(all, null, ages, List.of(), null, null),
                odd(all, null, Duration.ofSeconds(-1), List.of(), null, null),
                odd(all, null, null, Collections.nCopies(21, daily(3)), null, null),
                odd(all, null, null, List.of(), Instant.parse("2190-01-01T00:00:00Z"), null),
                odd(all, null, null, List.of(), null, "x".repeat(501)))) {
            assertEquals(Problem.BAD_INPUT, refused(odd), odd.toString());
        }
        LocalDate year = LocalDate.of(2026, 1, 1);
        assertThrows(RefusedException.class, () -> new Blackout(year, LocalDate.MAX, ZoneId.of("UTC")));
        assertTrue(world.engine.view().rollouts().isEmpty());
    }

    private static RolloutSpec odd(
            RolloutSpec all,
            Duration notice,
            Duration recovery,
            List<MaintenanceWindow> windows,
            Instant until,
            String words) {
        return all.withNotice(notice)
                .withRecovery(recovery)
                .withWindows(windows)
                .withSelfServiceUntil(until)
                .withDescription(words);
    }

    @Test
    void aReportInTheCommitThatCheckedAUnitDoesNotStallTheRollout() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MachineId id = new MachineId("default", "d" + i);
            machines.add(new MachineSpec(0, id, DB, 0, i % 2, "host-" + i, List.of(), "", false, Map.of()));
        }
        apply(1, machines);
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.FAULT_DOMAIN, 0)));
        while (!rollout().isOver()) {
            int before = rollout().done();
            if (world.running.isEmpty()) {
                world.pass(Duration.ofMinutes(5));
            }
            EventId id = world.running.keySet().iterator().next();
            world.running.remove(id);
            int attempt = world.event(id).orElseThrow().attempt().attempt();
            // A policy wakes every unit; the report is in the same batch.
            Policy policy = new Policy(
                    new Scope("default", "db", null),
                    null,
                    before % 2 == 0,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
            world.engine.submit(new Command.SetPolicy(policy, EngineHarness.PERSON));
            world.engine.submit(new Command.Told(id, attempt, DriverReport.DONE, ""));
            world.turn();
            assertEquals(before + 1, rollout().done());
        }
        assertEquals(Status.DONE, rollout().status());
    }

    @Test
    void aMoveThatNoWindowAllowsIsRefused() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-0"),
                        machine(EngineHarness.WEB, "b", 1, "host-0"),
                        machine(DB, "d", 0, "host-0")));
        world.ask(new Command.SetPolicy(redeploys(EngineHarness.WEB, 3), EngineHarness.PERSON));
        RolloutSpec narrow = odd(spec("os", RolloutTarget.Kind.HOSTS, "*"), null, null, List.of(daily(18)), null, null);
        RolloutSpec evacuating = narrow.withEvacuation(true);
        assertEquals(Problem.CONFLICT, refused(evacuating));
    }

    private static Policy redeploys(GroupId group, int hour) {
        Scope scope = new Scope(group.tenant(), group.name(), EventType.REDEPLOY);
        return new Policy(scope, null, null, null, null, List.of(daily(hour)), null, null, null, null, null);
    }

    @Test
    void whoIsApprovedReadsHowMuchNoticeTheRestOfItsHostLacks() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.approve(only(EngineHarness.WEB).id());
        Instant notBefore = only(DB).noticePeriod().notBefore();
        world.unreadableSince = world.now();
        Duration down = Duration.ofMinutes(20);
        world.skip(down);
        world.open();
        assertTrue(world.now().isAfter(notBefore));
        List<StartBlocker> held = world.engine
                .rules()
                .blockers(world.engine.view(), EngineHarness.WEB, only(EngineHarness.WEB), world.now());
        assertEquals(
                List.of("the rest of the notice of group default/db of the same host"),
                held.stream().map(StartBlocker::why).toList());
        assertEquals(notBefore.plus(down), held.get(0).until());
        world.pass(NOTICE.minusSeconds(1));
        assertEquals(Phase.SCHEDULED, only(EngineHarness.WEB).phase());
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
    }
}
