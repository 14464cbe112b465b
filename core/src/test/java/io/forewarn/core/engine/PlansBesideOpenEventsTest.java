package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plan reckons with what is open already: who goes first, how long it takes, and the recovery after it. */
class PlansBesideOpenEventsTest {
    /** The window that opens when the world begins, and is open for a minute longer than the least notice. */
    private static final MaintenanceWindow SHORT = daily(12, Duration.ofMinutes(16));

    private final EngineHarness world = EngineHarness.enabled();
    private final List<GroupId> polling = new ArrayList<>(List.of(EngineHarness.WEB));
    private final PlanComparison comparison = new PlanComparison(world, polling);

    @BeforeEach
    void theDriverKnowsHowLongWorkTakes() {
        for (Cause cause : Cause.values()) {
            world.durations.put(cause, Duration.ofSeconds(90));
        }
        comparison.poll();
    }

    private static MaintenanceWindow daily(int hour, Duration length) {
        return new MaintenanceWindow(EnumSet.allOf(DayOfWeek.class), LocalTime.of(hour, 0), length, ZoneId.of("UTC"));
    }

    private static RolloutSpec reboot(String name, List<MaintenanceWindow> windows, String... groups) {
        return RolloutSpec.of(
                        name, Cause.HOST_REBOOT, new RolloutTarget(RolloutTarget.Kind.GROUPS, List.of("default/web")))
                .withWindows(windows);
    }

    private static Instant at(Duration later) {
        return EngineHarness.START.plus(later);
    }

    @Test
    void aRestartThatGoesFirstTakesTheUnitPastItsWindow() {
        world.schedule(Cause.RESTART, "m0");
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of(SHORT)), "with a window");
        assertEquals(at(Duration.ofDays(1)), plan.steps().get(0).starts());
    }

    @Test
    void withoutAWindowTheUnitStartsWhenTheRestartEnds() {
        world.schedule(Cause.RESTART, "m0");
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "without a window");
        assertEquals(
                at(Duration.ofMinutes(16).plusSeconds(30)), plan.steps().get(0).starts());
    }

    @Test
    void anEarlierFreezeThatWaitsForTheSameWindowIsReckonedWith() {
        Policy policy = new Policy(
                new Scope("default", "web", null),
                null,
                null,
                null,
                null,
                List.of(daily(20, Duration.ofHours(2))),
                null,
                null,
                null,
                null,
                null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
        world.schedule(Cause.FREEZE, "m1");
        comparison.comesTrue(reboot("os", List.of()), "both in the window");
    }

    private void scheduleLasting(Cause cause, String machine, Duration takes) {
        Command command = new Command.Schedule(
                cause, List.of(EngineHarness.machine(machine)), null, null, takes, false, EngineHarness.PERSON);
        comparison.lasting.put(world.ask(command).events().get(0), takes);
    }

    @Test
    void aFreezeTakesAsLongAsWasSaidWhenItWasRequested() {
        scheduleLasting(Cause.FREEZE, "m1", Duration.ofMinutes(45));
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "after a long freeze");
        assertEquals(at(Duration.ofMinutes(15 + 45 + 30)), plan.steps().get(0).starts());
    }

    @Test
    void aFreezeThatIsUnderWayTakesAsLongAsWasSaidWhenItWasRequested() {
        scheduleLasting(Cause.FREEZE, "m1", Duration.ofMinutes(45));
        world.pass(Duration.ofMinutes(20));
        comparison.poll();
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "during a long freeze");
        assertEquals(at(Duration.ofMinutes(15 + 45 + 30)), plan.steps().get(0).starts());
    }

    @Test
    void aRestartTakesAsLongAsItsOwnerSaid() {
        scheduleLasting(Cause.RESTART, "m0", Duration.ofMinutes(45));
        RolloutPlan plan = comparison.comesTrue(reboot("os", List.of()), "after a long restart");
        assertEquals(at(Duration.ofMinutes(15 + 45)), plan.steps().get(0).starts());
    }

    @Test
    void anotherRolloutIsReckonedWith() {
        RolloutSpec first = RolloutSpec.of(
                        "first", Cause.HOST_FREEZE, new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-0")))
                .withEvacuation(true);
        world.ask(world.engine.roll(first, EngineHarness.PERSON, null));
        RolloutSpec second = RolloutSpec.of(
                        "second",
                        Cause.HOST_FREEZE,
                        new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-1", "host-2")))
                .withEvacuation(true);
        comparison.comesTrue(second, "beside another");
    }

    @Test
    void aGroupIsShownNoMoreEventsThanItMayHave() {
        large(250);
        RolloutPlan plan = comparison.comesTrue(dayAhead("os", false), "more hosts than a group may have events");
        assertEquals(
                List.of(180L, 70L),
                List.of(
                        startsAt(plan, at(Duration.ofDays(1))),
                        startsAt(plan, at(Duration.ofDays(2).plusSeconds(90)))));
        assertTrue(plan.steps().stream().allMatch(step -> Duration.between(step.scheduled(), step.starts())
                .equals(Duration.ofDays(1))));
    }

    @Test
    void aRolloutThatFindsAGroupFullIsPlannedAfterTheFirst() {
        large(200);
        world.ask(world.engine.roll(dayAhead("first", false), EngineHarness.PERSON, null));
        RolloutSpec second = RolloutSpec.of(
                "second", Cause.HOST_FREEZE, new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-199")));
        RolloutPlan plan = comparison.plan(second);
        assertEquals(
                at(Duration.ofDays(1).plusSeconds(90)).plus(Duration.ofMinutes(15)),
                plan.steps().get(0).starts());
        assertTrue(plan.steps().get(0).why().contains("as many open events as it may"));
    }

    @Test
    void aRehearsalLeavesRoomForRealWork() {
        large(200);
        world.ask(world.engine.roll(dayAhead("rehearsal", true), EngineHarness.PERSON, null));
        RolloutSpec real = RolloutSpec.of(
                "real", Cause.HOST_FREEZE, new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-199")));
        assertEquals(
                at(Duration.ofMinutes(15)),
                comparison.comesTrue(real, "beside a rehearsal").steps().get(0).starts());
    }

    private static long startsAt(RolloutPlan plan, Instant time) {
        return plan.steps().stream().filter(step -> step.starts().equals(time)).count();
    }

    private static RolloutSpec dayAhead(String name, boolean rehearsal) {
        return RolloutSpec.of(name, Cause.HOST_REBOOT, new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("*")))
                .withNotice(Duration.ofDays(1))
                .withRehearsal(rehearsal);
    }

    /** A group in which a machine polls, with one update domain and each machine on a host of its own. */
    private void large(int machines) {
        GroupId group = new GroupId("default", "large");
        List<MachineSpec> specs = IntStream.range(0, machines)
                .mapToObj(i -> new MachineSpec(
                        0, new MachineId("default", "l" + i), group, 0, 0, "host-" + i, List.of(), "", false, Map.of()))
                .toList();
        FleetSpec fleet = new FleetSpec(List.of(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, 1, 1)), specs);
        world.engine
                .view()
                .machines(EngineHarness.WEB)
                .forEach(m -> world.ask(world.engine.change(
                        facts -> FleetRules.remove(facts, List.of(m.id())), EngineHarness.PERSON, null)));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        polling.clear();
        polling.add(group);
        comparison.poll();
    }
}
